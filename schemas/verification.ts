/**
 * The verification of serialized items: the batches, items and scans that the planes exchange, and the answer for
 * visitors. Times are epoch milliseconds, countries ISO 3166-1 alpha-2 in upper case or empty.
 */
import { z } from 'zod';

/** An owner's notice on all items of a batch. */
export const batchNotices = ['recalled', 'stolen'] as const;
export type BatchNotice = (typeof batchNotices)[number];

/** Of the picture of a product, in pixels: twice what the page shows, in CSS pixels. */
export const productImageSide = 160;
/** Of its WebP: with the longest texts and links, a page still has less than 20 kB. */
export const productImageBytesMax = 5_500;

/** The record of a batch, as redirectors hold it in memory. Unset keys are absent. */
export const batchRecord = z.object({
  id: z.string(),
  workspaceId: z.string(),
  /** As in `code-record.ts`: grows with every change, and by a large step with every timeline. */
  version: z.number().int().positive(),
  productSku: z.string().optional(),
  productName: z.string().optional(),
  /** 14 digits. */
  gtin: z.string().optional(),
  brandName: z.string().optional(),
  notice: z.enum(batchNotices).optional(),
  /** A data URL, small enough to be in every page: a square of at most {@link productImageSide} pixels. */
  productImage: z.string().optional(),
  brandUrl: z.string().optional(),
  /** `http:`, `https:`, `tel:` or `mailto:`. */
  supportUrl: z.string().optional(),
  registerUrl: z.string().optional(),
  /** The pages of marks that exist, one character each: the marks of an item are asked for only if its page is one of them. */
  markPages: z.string().optional(),
});
export type BatchRecord = z.infer<typeof batchRecord>;

/** An owner's mark on one item. */
export const itemMarks = ['recalled', 'stolen', 'returned'] as const;
export type ItemMark = (typeof itemMarks)[number];

/** The page of its batch's marks that an item is on: the last character of its id, which is random. So a batch has 58 pages. */
export const markPageOf = (itemId: string): string => itemId.at(-1)!;

const itemIdLength = 12;

/** The ids of items, one after the other. */
const itemIds = z.string().regex(/^(?:[1-9A-HJ-NP-Za-km-z]{12})+$/);

/** The marked items of a batch whose ids end alike. A mark that no item has is absent. */
export const markPage = z.object({
  id: z.string(),
  version: z.number().int().positive(),
  recalled: itemIds.optional(),
  stolen: itemIds.optional(),
  returned: itemIds.optional(),
});
export type MarkPage = z.infer<typeof markPage>;

const isAmong = (ids: string, itemId: string): boolean => {
  let at = ids.indexOf(itemId);
  // A text across the border of two ids is not an id.
  while (at >= 0 && at % itemIdLength !== 0) at = ids.indexOf(itemId, at + 1);
  return at >= 0;
};

/** @returns the mark of an item on its page, or null */
export const markOn = (page: MarkPage, itemId: string): ItemMark | null =>
  itemMarks.find((mark) => isAmong(page[mark] ?? '', itemId)) ?? null;

/** The state of an item in PostgreSQL, as returned by the control plane's lookup. */
export const itemState = z.object({
  id: z.string(),
  batchId: z.string(),
  /** Counted scans so far, including the first. */
  scanCount: z.number().int().min(0),
  /** Absent while the item is unclaimed. */
  first: z.object({ atMs: z.number(), country: z.string() }).optional(),
});
export type ItemState = z.infer<typeof itemState>;

/** Any time until 2100: a redirector's clock may be wrong. */
const momentMs = z.number().int().min(0).max(Date.UTC(2100, 0));
const countryOrNone = z.string().regex(/^([A-Z]{2})?$/);

/** The prefix of the Redis keys of items; some other keys of verifications share it. */
export const itemKeyPrefix = 'serial:';

/**
 * Redis key of an item's known state: a hash. If its `state` is `claimed`, `at` and `country` are from the first scan
 * ({@link VerificationEvent.first}); it is kept for a day after the last scan.
 */
export const itemKey = (itemId: string): string => `${itemKeyPrefix}${itemId}`;

/** One counted verification, as the redirector's spool carries it to the control plane: a line of JSON. */
export const verificationEvent = z.object({
  /** A UUID. */
  id: z.guid(),
  /** 12 characters of base58. */
  itemId: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{12}$/),
  batchId: z.string().max(100),
  atMs: momentMs,
  country: countryOrNone,
  /** Whether this scan was answered as the first. */
  claimed: z.boolean(),
  /** The claim as the redirector knows it; for a claiming scan, its own. So every scan of an item reports its claim. */
  first: z.object({ atMs: momentMs, country: countryOrNone }),
  /** Whether the device that claimed the item checked it again soon after. */
  sameDevice: z.boolean(),
});
export type VerificationEvent = z.infer<typeof verificationEvent>;

export const verdicts = ['authentic', 'already_scanned', 'marked', 'not_genuine', 'not_known'] as const;
/**
 * `authentic`: this scan is the first. `marked`: the item was never claimed, and its owner has marked it, so it is not claimed now. `not_genuine`: the signature is not ours. `not_known`: the signature is ours,
 * but the item does not exist.
 */
export type Verdict = (typeof verdicts)[number];

/** The error for programs that comes with a verdict on a code that is not an item's. */
export const refusalTexts = {
  not_genuine: 'The signature of this code is not ours',
  not_known: 'There is no item with this code',
} as const satisfies Partial<Record<Verdict, string>>;

/** The answer to a verification, as JSON. Only a verdict on an existing item has more than the verdict. */
export interface VerificationAnswer {
  verdict: Verdict;
  itemId?: string;
  productSku?: string | null;
  productName?: string | null;
  gtin?: string | null;
  /** The name in the issued-for line. */
  brandName?: string | null;
  /** If set, the item must not be trusted, whatever the verdict. */
  notice?: BatchNotice | null;
  /** Of the item itself: the same. */
  mark?: ItemMark | null;
  /** Counted scans, including this one. */
  scanCount?: number;
  firstScannedAt?: number;
  firstScanCountry?: string | null;
  /** Whether this device made the first scan, up to ten minutes ago. */
  sameDevice?: boolean;
}
