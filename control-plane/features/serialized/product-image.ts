/** The picture of a batch's product: what an owner sends becomes a small picture, before any transaction begins. */
import { productImageBytesMax, productImageSide } from '#schemas/verification.ts';
import type { ImageEncoder } from '../hosted/uploads/encoding/image-encoder.ts';
import { readGivenImage } from '../hosted/uploads/given/given-image.ts';
import { asField } from '../hosted/uploads/given/refusal.ts';

/** The name of its field in bodies. */
export const productImageField = 'productImage';

/**
 * @returns the data URL that is stored
 * @throws {ClientError} UNPROCESSABLE or LIMIT_FILE_SIZE naming the field; RATE_LIMITED or UNAVAILABLE as
 * {@link ImageEncoder.encode}
 */
export type MakeProductImage = (dataUrl: string, workspaceId: string) => Promise<string>;

const box = {
  width: productImageSide,
  height: productImageSide,
  fit: 'cover',
  bytesMax: productImageBytesMax,
} as const;

export const createMakeProductImage =
  ({ encodeSmall }: Pick<ImageEncoder, 'encodeSmall'>): MakeProductImage =>
  (given, workspaceId) =>
    asField(
      productImageField,
      async () => (await encodeSmall(readGivenImage(given), box, workspaceId)).dataUrl,
    );
