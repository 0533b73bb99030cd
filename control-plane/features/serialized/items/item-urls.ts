/** The printed verification URL of an item. It is always signed with the key of its batch's generation. */
import type { UriFormat } from '#schemas/api/serialized.ts';
import { ClientError } from '#shared/errors.ts';
import type { SerialSignatures } from '#shared/serial-signatures.ts';
import type { StoredBatch } from '../store/batches.ts';

type SignedBatch = Pick<StoredBatch, 'gtin' | 'keyGeneration'>;

export interface ItemUrls {
  /**
   * `{qr_host}/v/{itemId}/{signature}`.
   * @throws {ClientError} UNAVAILABLE if this process has no key of the batch's generation
   */
  urlOf(batch: SignedBatch, itemId: string): string;
  /**
   * The URLs of a batch's items in a format.
   * @throws {ClientError} UNPROCESSABLE for `gs1` if the batch has no GTIN; UNAVAILABLE as `urlOf`
   */
  inFormat(batch: SignedBatch & Pick<StoredBatch, 'id'>, format: UriFormat): (itemId: string) => string;
  /** The serial (AI 21) of an item. @param batch one with a GTIN @throws {ClientError} UNAVAILABLE as `urlOf` */
  serialOf(batch: { gtin: string; keyGeneration: number }, itemId: string): string;
}

export const createItemUrls = (
  signatures: Pick<SerialSignatures, 'knows' | 'sign' | 'serialOf'>,
  qrHost: string,
): ItemUrls => {
  /** A control plane may still run without a new key. */
  const known = (generation: number): number => {
    if (signatures.knows(generation)) return generation;
    throw new ClientError(
      'UNAVAILABLE',
      'The key of this batch’s signatures is not available now; try again later',
    );
  };

  const urlOf: ItemUrls['urlOf'] = ({ keyGeneration }, itemId) =>
    `${qrHost}/v/${itemId}/${signatures.sign(itemId, known(keyGeneration))}`;

  const serialOf: ItemUrls['serialOf'] = ({ gtin, keyGeneration }, itemId) =>
    signatures.serialOf(gtin, itemId, known(keyGeneration));

  return {
    urlOf,
    serialOf,
    inFormat(batch, format) {
      known(batch.keyGeneration);
      if (format === 'url') return (itemId) => urlOf(batch, itemId);
      const { gtin, keyGeneration } = batch;
      if (gtin === null)
        throw new ClientError(
          'UNPROCESSABLE',
          `uriFormat must be url: the batch ${batch.id} has no gtin, which a GS1 Digital Link needs; given: 'gs1'`,
        );
      return (itemId) => `${qrHost}/01/${gtin}/21/${serialOf({ gtin, keyGeneration }, itemId)}`;
    },
  };
};
