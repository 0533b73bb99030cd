/**
 * The targets of a scan other than the destination: routing rules, campaigns, deep links; and the tags that name a
 * scan's source.
 *
 * A missing id is filled in from the position (`rule-2`, `variant-1`), so that sending the same list again changes
 * nothing. Clients that reorder entries must give them ids: analytics are kept by id.
 */
import { z } from 'zod';
import { unsafeSchemes } from '../schemes.ts';
import type { createDestination } from './destination.ts';
import { destinationLengthMax } from './destination.ts';
import { routingCondition } from './routing-conditions.ts';
import { boundedArray, boundedText, label, requiredLabel } from './text.ts';

type Destination = ReturnType<typeof createDestination>;

export const rulesMax = 50;
export const variantsMax = 50;
export const sourcesMax = 6;
export const campaignStatuses = ['active', 'paused'] as const;
const idLengthMax = 64;
const nameLengthMax = 120;
const weightMax = 1_000_000;
const fingerprintsMax = 10;

const id = requiredLabel(idLengthMax);

/** Fails each entry that repeats an earlier entry's id. */
const uniqueIds = (entries: readonly { id?: string | undefined }[], context: z.RefinementCtx): void => {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.id === undefined) continue;
    if (seen.has(entry.id))
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must not be given twice' });
    seen.add(entry.id);
  }
};

/** Each entry with an id: its own, or the first free one from its position on. */
const withIds = <Entry extends { id?: string | undefined }>(entries: readonly Entry[], word: string) => {
  const taken = new Set(entries.map((entry) => entry.id));
  return entries.map((entry, index) => {
    let number = index + 1;
    let free = entry.id;
    while (free === undefined || (entry.id === undefined && taken.has(free))) free = `${word}-${number++}`;
    taken.add(free);
    return { ...entry, id: free };
  });
};

export const sourceIdLengthMax = 64;
const notSourceId = 'must be 1 to 64 letters, digits, or any of . _ ~ -';

/** Attribution tags. An id appears in `?s=` unchanged, so it has only characters that a URL does not escape. */
export const sources = boundedArray(
  z.strictObject({
    id: boundedText(sourceIdLengthMax, notSourceId)
      .regex(/^[A-Za-z0-9._~-]{1,64}$/, notSourceId)
      .describe('The value in `?s=`: letters, digits and `. _ ~ -`. Unique in the list.'),
    name: label(nameLengthMax).optional().describe('A human-readable name. Default: the `id`.'),
  }),
  { max: sourcesMax },
)
  .superRefine(uniqueIds)
  .transform((entries) => entries.map((entry) => ({ id: entry.id, name: entry.name ?? entry.id })));

export type Sources = z.output<typeof sources>;

const ruleOf = (destination: Destination) =>
  z.strictObject({
    id: id
      .optional()
      .describe('Analytics are kept by it. Unique in the list. Default: by position, such as `rule-1`.'),
    condition: routingCondition.describe(
      'Which scans match. All keys that are sent must match, each by one of its values. At least one key ' +
        'is required.',
    ),
    destination: destination.describe('Where matching scans go: an absolute http or https URL.'),
  });

export const createRoutingRules = (destination: Destination) =>
  boundedArray(ruleOf(destination), { max: rulesMax })
    .superRefine(uniqueIds)
    .transform((rules) => withIds(rules, 'rule'));

export type RoutingRules = z.output<ReturnType<typeof createRoutingRules>>;

const variantOf = (destination: Destination) =>
  z.strictObject({
    id: id
      .optional()
      .describe('Analytics are kept by it. Unique in the list. Default: by position, such as `variant-1`.'),
    name: label(nameLengthMax).optional().describe('A human-readable name. Default: the `id`.'),
    destination: destination.describe('Where scans of this variant go: an absolute http or https URL.'),
    weight: z
      .number()
      .min(0)
      .max(weightMax)
      .describe('The share of the scans, relative to the weights of the other variants. 0 means no scans.'),
  });

/** Weights are shares: of 1 and 3, a quarter and three quarters. A variant of weight 0 gets nothing. */
export const createCampaign = (destination: Destination) =>
  z.strictObject({
    status: z.enum(campaignStatuses).describe('If `paused`, scans go to the destination of the code.'),
    variants: boundedArray(variantOf(destination), { min: 1, max: variantsMax })
      .superRefine(uniqueIds)
      .refine(
        (variants) => variants.some(({ weight }) => weight > 0),
        'must have at least one whose weight is not 0',
      )
      .transform((variants) =>
        withIds(variants, 'variant').map(({ name, ...variant }) => ({
          id: variant.id,
          name: name || variant.id,
          destination: variant.destination,
          weight: variant.weight,
        })),
      )
      .describe('The destinations among which scans are divided. At least one needs a weight above 0.'),
  });

export type Campaign = z.output<ReturnType<typeof createCampaign>>;

const scheme = /^([a-z][a-z0-9+.-]*):./i;
/** Unicode's control characters and white space. */
const controlOrSpace = /[\p{Cc}\s]/u;

/** The unsafe schemes, schemes that no app may claim, and those of browsers, which open any web page or app. */
const refusedSchemes = new Set([...unsafeSchemes, 'ftp', 'http', 'ws', 'wss', 'intent', 'android-app']);
const browserScheme =
  /^(googlechromes?|chrome|firefox|firefox-focus|microsoft-edge|x-safari|opera|touch|brave)(-https?)?$/;

const isRefused = (name: string): boolean => refusedSchemes.has(name) || browserScheme.test(name);

const whyNoAppUrl = (text: string): string | undefined => {
  if (controlOrSpace.test(text)) return 'must not contain white space or control characters';
  const name = scheme.exec(text)?.[1]?.toLowerCase();
  const isOwn = name !== undefined && !isRefused(name) && text.isWellFormed();
  const url = isOwn ? URL.parse(text) : null;
  if (!url || url.href.length > destinationLengthMax)
    return "must be an https URL or one of an app's own scheme, such as myapp://open";
  return undefined;
};

const createAppUrl = (destination: Destination) =>
  boundedText(destinationLengthMax).superRefine((text, context) => {
    const message = /^https:/i.test(text)
      ? destination.safeParse(text).error?.issues[0]?.message
      : whyNoAppUrl(text);
    if (message !== undefined) context.addIssue({ code: 'invalid_format', format: 'url', message });
  });

type AppUrl = ReturnType<typeof createAppUrl>;

const createStoreUrl = (destination: Destination) =>
  destination.refine((text) => /^https:/i.test(text), 'must be an https URL');

const notFingerprint =
  'must be the SHA-256 of a certificate: 32 pairs of hexadecimal digits with colons between';

const fingerprint = boundedText(32 * 3 - 1, notFingerprint)
  .regex(/^([0-9a-fA-F]{2}:){31}[0-9a-fA-F]{2}$/, notFingerprint)
  .transform((text) => text.toUpperCase());

const iosLink = (url: AppUrl, storeUrl: Destination) =>
  z.strictObject({
    url: url.describe(
      'The URL that opens the app: https (a universal link), or the app’s own scheme, such as ' +
        '`myapp://open`.',
    ),
    appStoreUrl: storeUrl
      .optional()
      .describe(
        'Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. ' +
          'Default: the destination of the code.',
      ),
    appId: boundedText(200)
      .regex(
        /^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/,
        'must be a team id and a bundle id, such as ABCDE12345.com.example.app',
      )
      .optional()
      .describe(
        'The team id and bundle id, such as `ABCDE12345.com.example.app`, for `apple-app-site-association`.',
      ),
  });

const androidLink = (url: AppUrl, storeUrl: Destination) =>
  z
    .strictObject({
      url: url.describe(
        'The URL that opens the app: https (an app link), or the app’s own scheme, such as `myapp://open`.',
      ),
      playStoreUrl: storeUrl
        .optional()
        .describe(
          'Where scanners without the app go: an https URL. Used only if `url` has the app’s own scheme. ' +
            'Default: the destination of the code.',
        ),
      package: boundedText(255)
        .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'must be a package name, such as com.example.app')
        .optional()
        .describe(
          'The package name, such as `com.example.app`. Listed in `assetlinks.json` together with the ' +
            'certificates.',
        ),
      sha256CertFingerprints: boundedArray(fingerprint, { min: 1, max: fingerprintsMax })
        .optional()
        .describe(
          'The SHA-256 fingerprints of the certificates that sign the app: 32 pairs of hexadecimal digits, ' +
            'separated by colons. Requires `package`.',
        ),
    })
    .superRefine(({ package: name, sha256CertFingerprints: fingerprints }, context) => {
      if (fingerprints === undefined || name !== undefined) return;
      const message = 'must be given together with package';
      context.addIssue({ code: 'custom', path: ['sha256CertFingerprints'], message });
    });

/** https: a universal link or app link. Other schemes are tried from a page that falls back to the store. */
export const createDeepLinkConfig = (destination: Destination) => {
  const url = createAppUrl(destination);
  const storeUrl = createStoreUrl(destination);
  return z
    .strictObject({
      ios: iosLink(url, storeUrl).optional().describe('The app on iPhones and iPads.'),
      android: androidLink(url, storeUrl).optional().describe('The app on Android.'),
    })
    .refine(
      ({ ios, android }) => ios !== undefined || android !== undefined,
      'must have at least one of ios, android',
    );
};

export type DeepLinkConfig = z.output<ReturnType<typeof createDeepLinkConfig>>;
