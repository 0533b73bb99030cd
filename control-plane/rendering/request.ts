/** A request for a picture, the answering picture, and the refusals that need no drawing. */
import { marginMax, sizeMax, sizeMin } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import type { PreparedLogo } from './logo/prepare-logo.ts';
import { checkCaptionColor } from './look/caption-color.ts';
import type { Look } from './look/look.ts';
import type { Size } from './scene/scene.ts';

export const pictureFormats = ['png', 'svg', 'webp', 'jpg', 'pdf'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Formats without pixels of their own. */
export type VectorFormat = Extract<PictureFormat, 'svg' | 'pdf'>;

export const isVectorFormat = (format: PictureFormat): format is VectorFormat =>
  format === 'svg' || format === 'pdf';

export interface RenderRequest {
  /** The text that a scanner shows. */
  payload: string;
  /** The payload is a GS1 element string: the symbol begins with FNC1, and U+001D separates its elements. */
  fnc1?: boolean;
  look: Look;
  format: PictureFormat;
  /**
   * Pixels (points in a PDF), 64 to 4096. If one is missing it follows from the other and the frame's proportions;
   * without both, the picture is a square. A code and frame of other proportions are centred.
   */
  width?: number | undefined;
  height?: number | undefined;
  /**
   * `picture` (default): this very picture is read before it is handed out. `style`: the first picture of each look,
   * symbol size and picture size is read on behalf of later ones; with a logo, the first few (proof/tally.ts); for runs
   * of thousands.
   */
  proof?: 'picture' | 'style';
  /**
   * How to treat a picture that would be read if it were larger, or whose caption is hard to read. Default: it is
   * refused.
   */
  unreadable?: 'refuse' | 'draw';
}

/** A request for a thread, with its logo prepared: no thread reads an untrusted file. */
export interface RenderTask extends RenderRequest {
  logo?: PreparedLogo | undefined;
}

export interface Rendered {
  body: Buffer;
  contentType: string;
  /**
   * `yes`: a reader read the payload from this picture, on white and, if it is transparent, on dark. `on white only`,
   * `on dark only`: on that paper. `one of its kind`: from another picture, see {@link RenderRequest.proof}. `no: too
   * small`: only from a picture of the needed size.
   */
  decoded: string;
  /** The size at which a picture that is too small would be read. */
  sizeNeeded?: Size;
  /** Faults of a picture that is read nevertheless, in terms of the request's fields. */
  warnings: readonly string[];
  /** Set if the picture is drawn only because of {@link RenderRequest.unreadable}. */
  isRefusedByDefault?: true;
}

const checkRange = (field: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ClientError('UNPROCESSABLE', `${field} must be a whole number from ${min} to ${max}`);
};

/** @throws {ClientError} UNPROCESSABLE naming a field that is refused before anything is drawn */
export const checkTask = ({ look, logo, width, height, unreadable }: RenderTask): void => {
  if (width !== undefined) checkRange('width', width, sizeMin, sizeMax);
  if (height !== undefined) checkRange('height', height, sizeMin, sizeMax);
  checkRange('margin', look.margin, 0, marginMax);
  if (look.frame && unreadable !== 'draw') checkCaptionColor(look.frame);
  if (look.logo && !logo) throw new Error('the logo of the look has not been prepared');
};
