/** `POST /api/verify/serial`: an app's request, and the verdict. */
import { z } from 'zod';
import { batchNotices, itemMarks } from '../verification.ts';
import { refusalHelp } from './refusals.ts';
import { boundedText, ownText } from './text.ts';

/** For the body: more than any item and signature need, with every character escaped. */
export const serialBodyBytesMax = 2048;

/** Longer than an item's id or signature. */
export const serialTextLengthMax = 100;

const givenText = boundedText(serialTextLengthMax).min(1);
const shownText = ownText().nullable().optional();

export const serialVerificationBody = z.object({
  itemId: givenText.describe('The part of the printed URL after `/v/`.'),
  signature: givenText.describe('The part after the item id.'),
});

/** The verdict on a code that is not an item's: an error, like every non-2xx answer. */
export const serialRefusal = z
  .object({
    verdict: z
      .enum(['not_genuine', 'not_known'])
      .describe('`not_genuine`: the signature is not ours. `not_known`: there is no such item.'),
    error: ownText().min(1).describe('The verdict in words.'),
    code: ownText().describe('For programs: `NOT_FOUND`.'),
    ...refusalHelp,
  })
  .meta({ id: 'SerialRefusal' });

export const serialVerification = z
  .object({
    verdict: z
      .enum(['authentic', 'already_scanned', 'marked'])
      .describe(
        '`authentic`: this is the first scan. `already_scanned`: it is not. `marked`: the item was never scanned ' +
          'before, and its owner has marked it (`mark`), so this scan does not claim it.',
      ),
    itemId: ownText().describe('The id of the item.'),
    productSku: shownText.describe('The SKU of the batch.'),
    productName: shownText.describe('The name of the product.'),
    gtin: shownText.describe('The GTIN of the product, 14 digits.'),
    brandName: shownText.describe('The name in the issued-for line.'),
    notice: z
      .enum(batchNotices)
      .nullable()
      .optional()
      .describe(
        'The owner’s notice about the whole batch. If there is one, do not trust the item, whatever ' +
          'the verdict.',
      ),
    mark: z
      .enum(itemMarks)
      .nullable()
      .optional()
      .describe(
        'The owner’s mark on this item. If it is `recalled` or `stolen`, do not trust the item, whatever the verdict. ' +
          '`returned`: it was taken back, and should not be sold as new.',
      ),
    scanCount: z
      .int()
      .optional()
      .describe('Counted scans, including this one. Absent if the verdict is `marked`, like the first scan.'),
    firstScannedAt: z
      .int()
      .optional()
      .describe('When the item was first scanned, in milliseconds since 1970.'),
    firstScanCountry: shownText.describe('The country of the first scan (ISO 3166-1 alpha-2).'),
    sameDevice: z
      .boolean()
      .optional()
      .describe('Whether this device made the first scan, at most ten minutes ago.'),
  })
  .meta({ id: 'SerialVerification' });
