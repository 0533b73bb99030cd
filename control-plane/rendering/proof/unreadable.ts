/** Why a picture was not read: what is suspected is changed, one thing at a time, until a reader reads it. */
import { weakColors } from '../look/contrast.ts';
import { type Scene, scaled } from '../scene/scene.ts';
import { isReadable } from './evidence.ts';

interface Suspicion {
  /** The scene without what is suspected; undefined where it is not there. */
  without(scene: Scene): Scene | undefined;
  why(scene: Scene, scales: boolean): string | Promise<string>;
}

const withLook = (scene: Scene, change: Partial<Scene['look']>): Scene => ({
  ...scene,
  look: { ...scene.look, ...change },
});

const withLogo = (scene: Scene, change: { size?: number; margin?: number }): Scene =>
  scene.look.logo ? withLook(scene, { logo: { ...scene.look.logo, ...change } }) : scene;

/** The largest of the whole numbers from 0 on for which something holds, up to one for which it does not; undefined for none. */
const largest = async (
  below: number,
  holds: (value: number) => Promise<boolean>,
): Promise<number | undefined> => {
  let [low, high] = [0, below];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low > 0 || (await holds(0)) ? low : undefined;
};

const hundredths = 100;

/** The largest size of the logo, in hundredths, in which a scene is read; undefined where there is none. */
export const largestLogo = async (scene: Scene, scales: boolean): Promise<number | undefined> => {
  const found = await largest(Math.ceil((scene.look.logo?.size ?? 0) * hundredths), (value) =>
    isReadable(withLogo(scene, { size: value / hundredths }), scales),
  );
  return found ? found / hundredths : undefined;
};

/** In the words of `imageOptions`; what would do is found by reading it. */
const explainLogo = async (scene: Scene, scales: boolean): Promise<string> => {
  const { size = 0, margin = 0 } = scene.look.logo ?? {};
  const sizeRead = await largestLogo(scene, scales);
  const marginRead = await largest(Math.ceil(margin), (value) =>
    isReadable(withLogo(scene, { margin: value }), scales),
  );
  const ways = [
    ...(sizeRead ? [`imageOptions.imageSize ${size} is too large, and ${sizeRead} is read`] : []),
    ...(marginRead !== undefined && marginRead < margin
      ? [`imageOptions.margin ${margin} is too large, and ${marginRead} is read`]
      : []),
  ];
  const hides = `image hides too much of the code to be read, at level ${scene.matrix.level}`;
  return ways.length === 0 ? `${hides}: give a smaller image` : `${hides}: ${ways.join('; or ')}`;
};

const quietZone = 4;
const pictureSideMax = 2048;

const white = { name: 'white', color: '#ffffff' } as const;

/** In the order of how often each is to blame. */
const suspicions: readonly Suspicion[] = [
  {
    without: (scene) => {
      const { look } = scene;
      if (weakColors(look, white).length === 0) return undefined;
      return withLook(scene, {
        dots: { ...look.dots, paint: '#000000' },
        cornersSquare: { ...look.cornersSquare, paint: undefined },
        cornersDot: { ...look.cornersDot, paint: undefined },
        background: { ...look.background, paint: '#ffffff' },
      });
    },
    why: ({ look }) =>
      `${weakColors(look, white)[0]}, and is not read: take a darker colour, or a lighter background`,
  },
  {
    without: (scene) => scene.logo && { ...withLook(scene, { logo: undefined }), logo: undefined },
    why: explainLogo,
  },
  {
    without: (scene) => (scene.look.margin < quietZone ? withLook(scene, { margin: quietZone }) : undefined),
    why: ({ look }) =>
      `margin ${look.margin} leaves too little of a quiet zone for the code to be read: take ${quietZone}`,
  },
  {
    without: (scene) => {
      const larger = scaled(scene, 2);
      return Math.max(larger.width, larger.height) <= pictureSideMax ? larger : undefined;
    },
    why: ({ width, height }) =>
      `size ${width === height ? width : `${width} × ${height}`} is too small for this style to be read: twice of it would do`,
  },
  {
    without: (scene) => (scene.look.shape === 'circle' ? withLook(scene, { shape: 'square' }) : undefined),
    why: () => 'shape circle cannot be read in this style: take square, or a larger size',
  },
  {
    without: (scene) => withLook(scene, { dots: { type: 'square', paint: '#000000' } }),
    why: () => 'dotsOptions cannot be read in this style: take the type square, or a darker color',
  },
];

/**
 * In the words of whoever gave the look.
 * @param scales whether the picture has no pixels of its own
 */
export const explainUnreadable = async (scene: Scene, scales: boolean): Promise<string> => {
  for (const { without, why } of suspicions) {
    const other = without(scene);
    if (other && (await isReadable(other, scales))) return why(scene, scales);
  }
  return 'this style cannot be read: take darker colours for dots and corners, types of dots and corners that are square, a larger size';
};
