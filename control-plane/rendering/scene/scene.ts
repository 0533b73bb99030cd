/** A scene: everything that a picture shows, whatever its format. */
import type { Caption } from '../captions/caption.ts';
import type { PreparedLogo } from '../logo/prepare-logo.ts';
import type { Look } from '../look/look.ts';
import type { ModuleMatrix } from '../symbol/matrix.ts';

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Scene extends Size {
  payload: string;
  matrix: ModuleMatrix;
  /** Its margin is the drawn one. */
  look: Look;
  logo: PreparedLogo | undefined;
  /** The caption of the look's frame. */
  caption: Caption | undefined;
}

/** A look with its logo's id instead of the logo's file, which is long. */
export const lookKey = ({ look, logo }: Scene): unknown[] => [
  logo?.id,
  { ...look, logo: { ...look.logo, image: '' } },
];

/** A size times a factor, in whole pixels. */
export const scaledSize = ({ width, height }: Size, factor: number): Size => ({
  width: Math.round(width * factor),
  height: Math.round(height * factor),
});

/** The same scene at another size. */
export const scaled = (scene: Scene, factor: number): Scene => ({ ...scene, ...scaledSize(scene, factor) });
