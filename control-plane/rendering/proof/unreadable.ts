/** The reason why no reader reads a picture: suspected causes are removed, one at a time, until a reader reads it. */
import { weakColors } from '../look/contrast.ts';
import { quietZoneModules } from '../look/quiet-zone.ts';
import { type Scene, scaled } from '../scene/scene.ts';
import { formatSize } from '../scene/size.ts';
import { isReadable, isReadableAsProof } from './proof.ts';

interface Suspicion {
  /** The scene without the suspected cause; undefined if the scene does not have it. */
  without(scene: Scene): Scene | undefined;
  why(scene: Scene, isVector: boolean): string | Promise<string>;
}

const withLook = (scene: Scene, change: Partial<Scene['look']>): Scene => ({
  ...scene,
  look: { ...scene.look, ...change },
});

const withLogo = (scene: Scene, change: { size?: number; margin?: number }): Scene =>
  scene.look.logo ? withLook(scene, { logo: { ...scene.look.logo, ...change } }) : scene;

/** The largest integer from 0 up to `below` (exclusive) for which the condition holds; undefined if it never holds. */
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

/**
 * The largest size of the logo below its own, in steps of a hundredth, at which a scene is read, whatever the format
 * and size of the picture: all pictures of a code show one logo. At most eight attempts. Undefined if no size is read.
 */
export const largestLogo = async (scene: Scene): Promise<number | undefined> => {
  const found = await largest(Math.ceil((scene.look.logo?.size ?? 0) * hundredths), (value) =>
    isReadableAsProof(withLogo(scene, { size: value / hundredths })),
  );
  return found ? found / hundredths : undefined;
};

/** Names `imageOptions.margin` and a readable value, if there is one. */
const explainLogo = async (scene: Scene, isVector: boolean): Promise<string> => {
  const { margin = 0 } = scene.look.logo ?? {};
  const marginRead = await largest(Math.ceil(margin), (value) =>
    isReadable(withLogo(scene, { margin: value }), isVector),
  );
  const hides = `image hides too much of the code to be read, at level ${scene.matrix.level}`;
  return marginRead !== undefined && marginRead < margin
    ? `${hides}: imageOptions.margin ${margin} is too large, and ${marginRead} is read`
    : `${hides}: give a smaller image`;
};

/** The longest side of an attempted picture, in pixels. */
const triedSideMax = 2048;

const white = { name: 'white', color: '#ffffff' } as const;

/** The most frequent cause first. */
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
    without: (scene) =>
      scene.look.margin < quietZoneModules ? withLook(scene, { margin: quietZoneModules }) : undefined,
    why: ({ look }) =>
      `margin ${look.margin} leaves too little of a quiet zone for the code to be read: take ${quietZoneModules}`,
  },
  {
    without: (scene) => {
      const larger = scaled(scene, 2);
      return Math.max(larger.width, larger.height) <= triedSideMax ? larger : undefined;
    },
    why: ({ width, height }) =>
      `size ${formatSize({ width, height })} is too small for this style to be read: twice of it would do`,
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

/** A size at which no logo hides too much: a larger logo would be drawn smaller, and is not the cause. */
const harmlessLogoSize = 0.1;

/**
 * The cause, in terms of the style's keys.
 * @param unread a scene that is not read with a smaller logo either
 * @param isVector whether the picture has no pixels of its own
 */
export const explainUnreadable = async (unread: Scene, isVector: boolean): Promise<string> => {
  const scene = withLogo(unread, { size: Math.min(unread.look.logo?.size ?? 0, harmlessLogoSize) });
  for (const { without, why } of suspicions) {
    const other = without(scene);
    if (other && (await isReadable(other, isVector))) return why(scene, isVector);
  }
  return 'this style cannot be read: take darker colours for dots and corners, types of dots and corners that are square, a larger size';
};
