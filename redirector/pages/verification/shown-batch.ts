/** What a page shows of a batch apart from its texts. */
import type { BatchRecord } from '#schemas/verification.ts';
import { webUrl } from '../brand.ts';

/** As published. */
export type BatchFace = Pick<BatchRecord, 'productImage' | 'brandUrl' | 'supportUrl' | 'registerUrl'>;

/** Checked again: whatever the record contains, a page of it is safe. */
export interface ShownBatch {
  /** A `data:` URL of a WebP or a PNG. */
  readonly image: string | undefined;
  readonly home: URL | undefined;
  /** `https:`, `http:`, `tel:` or `mailto:`. */
  readonly support: URL | undefined;
  readonly register: URL | undefined;
}

/** The largest picture that the control plane makes has 7,360 characters. */
const imageLengthMax = 12_000;
const linkLengthMax = 2000;

const imageOf = (dataUrl: string | undefined): string | undefined =>
  dataUrl !== undefined &&
  dataUrl.length <= imageLengthMax &&
  /^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+=*$/.test(dataUrl)
    ? dataUrl
    : undefined;

const contactUrl = (text: string | undefined): URL | undefined => {
  const url = text === undefined || text.length > linkLengthMax ? null : URL.parse(text);
  return url && /^(?:tel|mailto):$/.test(url.protocol) ? url : webUrl(text);
};

const check = ({ productImage, brandUrl, supportUrl, registerUrl }: BatchFace): ShownBatch => ({
  image: imageOf(productImage),
  home: webUrl(brandUrl),
  support: contactUrl(supportUrl),
  register: webUrl(registerUrl),
});

const shown = new WeakMap<BatchFace, ShownBatch>();

/** Checks a record once, however often its items are scanned. @param face of the batch; it does not change */
export const shownBatchOf = (face: BatchFace): ShownBatch => {
  let batch = shown.get(face);
  if (batch === undefined) {
    batch = check(face);
    shown.set(face, batch);
  }
  return batch;
};
