/** `POST /api/verify/serial`: an app's request, and the verdict. */
import { z } from 'zod';
import { batchNotices } from '../verification.ts';
import { boundedText, ownText } from './text.ts';

/** For the body: more than any item and signature need, with every character escaped. */
export const serialBodyBytesMax = 2048;

/** Longer than an item's id or signature. */
export const serialTextLengthMax = 100;

const textOf = (description: string) => boundedText(serialTextLengthMax).min(1).meta({ description });
const shown = (description: string) => ownText().nullable().optional().meta({ description });

export const serialVerificationBody = z.object({
  itemId: textOf('The part of the printed URL behind `/v/`.'),
  signature: textOf('The part behind the item.'),
});

/** The verdict on a code that is not an item's: an error, like every non-2xx answer. */
export const serialRefusal = z
  .object({
    verdict: z.enum(['not_genuine', 'not_known']).meta({
      description: '`not_genuine`: the signature is not ours. `not_known`: there is no such item.',
    }),
    error: ownText().min(1).meta({ description: 'The same in words.' }),
    code: ownText().meta({ description: 'For programs: `NOT_FOUND`.' }),
  })
  .meta({ id: 'SerialRefusal' });

export const serialVerification = z
  .object({
    verdict: z.enum(['authentic', 'already_scanned']).meta({
      description: '`authentic`: this scan is the first. `already_scanned`: it is not.',
    }),
    itemId: ownText().meta({ description: 'The item.' }),
    productSku: shown('The SKU of the batch.'),
    productName: shown('The name of the product.'),
    gtin: shown('14 digits.'),
    brandName: shown('The name in the issued-for line.'),
    notice: z.enum(batchNotices).nullable().optional().meta({
      description:
        'What the owner says of the whole batch. Then the item must not be trusted, whatever the verdict.',
    }),
    scanCount: z.int().optional().meta({ description: 'Counted scans, this one among them.' }),
    firstScannedAt: z
      .int()
      .optional()
      .meta({ description: 'When the item was first scanned, in milliseconds since 1970.' }),
    firstScanCountry: shown('Where that was: ISO 3166-1 alpha-2.'),
    sameDevice: z
      .boolean()
      .optional()
      .meta({ description: 'Whether this device made the first scan, up to ten minutes ago.' }),
  })
  .meta({ id: 'SerialVerification' });
