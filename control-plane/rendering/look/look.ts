/** A look: a style with nothing left open. */
import type { errorCorrectionLevels, frameFonts, frameIds, Style, shapes } from '#schemas/api/style.ts';

type DotsOptions = NonNullable<Style['dotsOptions']>;
type CornersOptions = NonNullable<Style['cornersSquareOptions']>;

export type DotType = NonNullable<DotsOptions['type']>;
export type CornerType = NonNullable<CornersOptions['type']>;

/** `#rrggbb` or a gradient, as the API has it; a linear one's rotation is in radians, 0 is left to right. */
export type Paint = NonNullable<DotsOptions['color']>;
export type GradientPaint = Exclude<Paint, string>;

export interface FrameLook {
  id: Exclude<(typeof frameIds)[number], 'none'>;
  /** As it is drawn, in capitals where they were asked for. */
  text: string;
  font: (typeof frameFonts)[number];
  color: Paint;
  textColor: Paint;
  /** Whether it was asked for; otherwise it is chosen to be legible. */
  textColorGiven: boolean;
  background: Paint | 'transparent';
}

export interface LogoLook {
  /** A picture as a data URI, or its base64 alone. */
  image: string;
  /** Above 0, up to 1: its longer side as a share of the code's side without the quiet zone. */
  size: number;
  /** Whether the size was asked for; otherwise a logo that hides too much is drawn smaller. */
  isSizeGiven: boolean;
  /** Free space round it, in modules. */
  margin: number;
  hideDots: boolean;
}

export interface Look {
  shape: (typeof shapes)[number];
  /** The quiet zone, in modules. */
  margin: number;
  level: (typeof errorCorrectionLevels)[number];
  /** 1 to 40; undefined is the smallest that holds the payload. */
  version: number | undefined;
  mode: 'auto' | 'numeric' | 'alphanumeric' | 'byte';
  dots: { type: DotType; paint: Paint };
  /** Without a paint it shares that of the dots: one gradient runs over both. */
  cornersSquare: { type: CornerType; paint: Paint | undefined };
  /** Without a paint it shares that of the corner square round it. */
  cornersDot: { type: CornerType; paint: Paint | undefined };
  /** `round`: 0 square to 1 fully rounded corners. */
  background: { paint: Paint | 'transparent'; round: number };
  logo: LogoLook | undefined;
  frame: FrameLook | undefined;
}
