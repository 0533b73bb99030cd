/** A look: a fully resolved style. */
import type { errorCorrectionLevels, frameFonts, frameIds, Style, shapes } from '#schemas/api/style.ts';

type DotsOptions = NonNullable<Style['dotsOptions']>;
type CornersOptions = NonNullable<Style['cornersSquareOptions']>;

export type DotType = NonNullable<DotsOptions['type']>;
export type CornerType = NonNullable<CornersOptions['type']>;

/** `#rrggbb` or a gradient, as in the API; a linear one's rotation is in radians, 0 is left to right. */
export type Paint = NonNullable<DotsOptions['color']>;
export type GradientPaint = Exclude<Paint, string>;

export interface FrameLook {
  id: Exclude<(typeof frameIds)[number], 'none'>;
  /** As drawn, in capitals if requested. */
  text: string;
  font: (typeof frameFonts)[number];
  color: Paint;
  textColor: Paint;
  /** Whether it was requested; otherwise it is chosen to be legible. */
  textColorGiven: boolean;
  background: Paint | 'transparent';
}

export interface LogoLook {
  /** A picture as a data URI, or only its base64. */
  image: string;
  /** Above 0, up to 1: the longer side as a share of the code's side without the quiet zone. */
  size: number;
  /** Whether the size was requested; otherwise a logo that hides too much is drawn smaller. */
  isSizeGiven: boolean;
  /** Free space around it, in modules. */
  margin: number;
  hideDots: boolean;
}

export interface Look {
  shape: (typeof shapes)[number];
  /** The quiet zone, in modules. */
  margin: number;
  level: (typeof errorCorrectionLevels)[number];
  /** 1 to 40; undefined for the smallest that holds the payload. */
  version: number | undefined;
  mode: 'auto' | 'numeric' | 'alphanumeric' | 'byte';
  dots: { type: DotType; paint: Paint };
  /** Without a paint it shares the dots': one gradient spans both. */
  cornersSquare: { type: CornerType; paint: Paint | undefined };
  /** Without a paint it shares the surrounding corner square's. */
  cornersDot: { type: CornerType; paint: Paint | undefined };
  /** `round`: 0 for square to 1 for fully rounded corners. */
  background: { paint: Paint | 'transparent'; round: number };
  logo: LogoLook | undefined;
  frame: FrameLook | undefined;
}
