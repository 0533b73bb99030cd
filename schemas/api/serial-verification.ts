/** `POST /api/verify/serial`: the question of an app, and the verdict. */
import { z } from 'zod';
import { batchNotices, verdicts } from '../verification.ts';

export const serialVerificationBody = z
  .object({
    itemId: z.string().min(1).max(100).describe('The first part of the printed URL behind `/v/`'),
    signature: z.string().min(1).max(100).describe('The second part'),
  })
  .meta({ id: 'SerialVerificationRequest' });

export const serialVerification = z
  .object({
    verdict: z.enum(verdicts),
    itemId: z.string().optional(),
    productSku: z.string().nullable().optional(),
    productName: z.string().nullable().optional(),
    gtin: z.string().nullable().optional(),
    brandName: z.string().nullable().optional().describe('The name in the issued-for line'),
    notice: z
      .enum(batchNotices)
      .nullable()
      .optional()
      .describe(
        'What the owner says of the whole batch; then the item must not be trusted, whatever the verdict',
      ),
    scanCount: z.number().int().optional().describe('Counted scans, this one among them'),
    firstScannedAt: z.number().int().optional().describe('Epoch ms'),
    firstScanCountry: z.string().nullable().optional(),
    sameDevice: z
      .boolean()
      .optional()
      .describe('Whether this device made the first scan, up to ten minutes ago'),
  })
  .meta({ id: 'SerialVerification' });
