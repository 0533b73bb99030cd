/** Why a picture was not read: what is suspected is changed, one thing at a time, until a reader reads it. */
import { isRead } from './proof.ts';
import { rasteriseScene, type Scene, scaled } from './scene.ts';

interface Suspicion {
  /** The scene without what is suspected; undefined where it is not there. */
  without(scene: Scene): Scene | undefined;
  why(scene: Scene): string;
}

const withStyle = (scene: Scene, change: Partial<Scene['style']>): Scene => ({
  ...scene,
  style: { ...scene.style, ...change },
});

const quietZone = 4;
const pictureSideMax = 2048;

const suspicions: readonly Suspicion[] = [
  {
    without: (scene) => scene.logo && { ...withStyle(scene, { logo: undefined }), logo: undefined },
    why: ({ style }) =>
      `image hides too much of the code to be read: make imageOptions.imageSize smaller than ${style.logo?.size}` +
      (style.level === 'H' ? '' : `, or qrOptions.errorCorrectionLevel H instead of ${style.level}`),
  },
  {
    without: (scene) =>
      scene.style.margin < quietZone ? withStyle(scene, { margin: quietZone }) : undefined,
    why: ({ style }) =>
      `margin ${style.margin} leaves too little of a quiet zone for the code to be read: take ${quietZone}`,
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
    without: (scene) => (scene.style.shape === 'circle' ? withStyle(scene, { shape: 'square' }) : undefined),
    why: () => 'shape circle cannot be read in this style: take square, or a larger size',
  },
  {
    without: (scene) => withStyle(scene, { dots: { type: 'square', paint: '#000000' } }),
    why: () => 'dotsOptions cannot be read in this style: take the type square, or a darker color',
  },
];

/** In the words of whoever gave the style. */
export const explainUnread = async (scene: Scene, payload: string): Promise<string> => {
  for (const { without, why } of suspicions) {
    const other = without(scene);
    if (other && (await isRead(await rasteriseScene(other), payload))) return why(scene);
  }
  return 'this style cannot be read: take darker colours for dots and corners, types of dots and corners that are square, a larger size';
};
