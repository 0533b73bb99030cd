/** The part of a look that qr-code-styling draws. */
import type { CornerDotType, CornerSquareType, DotType } from 'qr-code-styling';
import type { Paint } from '../look/look.ts';
import type { LogoImage } from './logo-layer.ts';

/** Sizes are in modules. */
export interface ModuleStyle {
  shape: 'square' | 'circle';
  /** The quiet zone. */
  margin: number;
  dots: { type: DotType; paint: Paint };
  /** Type and paint default to the type and paint of `dots`. */
  cornersSquare: { type?: CornerSquareType; paint?: Paint | undefined };
  /** The paint defaults to the paint of `cornersSquare`, the type to the type of `dots`. */
  cornersDot: { type?: CornerDotType; paint?: Paint | undefined };
  /** `round`: 0 for square to 1 for fully rounded corners. */
  background: { paint: Paint | 'transparent'; round: number };
  image?: LogoImage;
}

/** Black squares on white. */
export const plainStyle: ModuleStyle = {
  shape: 'square',
  margin: 4,
  dots: { type: 'square', paint: '#000000' },
  cornersSquare: {},
  cornersDot: {},
  background: { paint: '#ffffff', round: 0 },
};
