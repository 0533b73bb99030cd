/** Dynamic QR codes as the API returns them, and their queries. Their bodies are in code-bodies.ts. */

import { z } from 'zod';
import { routingExtrasObject, routingKeys } from './code-routing.ts';
import { conversionFigures, conversionsParameter } from './conversion-figures.ts';
import { dataTypes } from './data-types.ts';
import { destinationHealth } from './destination-health.ts';
import { shownOwnFields } from './own-fields.ts';
import { encryptionTypes, secureKinds } from './protection.ts';
import { campaignStatuses } from './routing.ts';
import { routingConditionObject } from './routing-conditions.ts';
import { savedStyle, styleWarnings } from './style.ts';
import { boundedText, ownText, timeZoneLengthMax, wholeNumberParameter } from './text.ts';
import { canonicalTimeZone, notTimeZone } from './time-zone.ts';

export const codeStatuses = ['active', 'inactive'] as const;

/** Whether scans of a code are recorded. */
export const codeAnalyticsModes = ['full', 'none'] as const;

export type CodeAnalyticsMode = (typeof codeAnalyticsModes)[number];

export type CodeStatus = (typeof codeStatuses)[number];

export const codeNameLengthMax = 120;

/** Parts of a whole code that its entry in a list has on request. */
export const expansions = [
  'style',
  'data',
  'campaign',
  'routingRules',
  'deepLinkConfig',
  'messages',
  'sources',
  'encryption',
  ...routingKeys,
] as const;
export type Expansion = (typeof expansions)[number];

export const codeAnalyticsQuery = z.object({
  days: wholeNumberParameter(1, 90).default(30).describe('The length of the window in days, today included.'),
  timezone: boundedText(timeZoneLengthMax, notTimeZone)
    .optional()
    .transform(canonicalTimeZone)
    .describe('The IANA time zone of the days, such as `Europe/Berlin`. Default: `UTC`.'),
  conversions: conversionsParameter,
});

/** A dynamic code. Times are ISO 8601. */
export const codeObject = z.object({
  id: ownText().describe('The id of the code. It never changes.'),
  type: z.literal('dynamic').describe('The kind of code.'),
  name: ownText().nullable().describe('A human-readable label; null if there is none.'),
  dataType: z
    .enum(dataTypes)
    .describe(
      'The type of the content. `url` and `gs1` redirect. The other types show the content on a page, with ' +
        'the matching action, such as saving a contact.',
    ),
  destination: ownText().describe(
    'Where the code leads at this moment, by its schedule if it has one, or its payload. If the code is ' +
      'encrypted, a JWE (RFC 7516) of it.',
  ),
  redirectUrl: ownText().describe('The URL that the pattern encodes. Every scan passes through it.'),
  status: z
    .enum(codeStatuses)
    .describe(
      '`active`: scans are sent on. `inactive`: scans get a page that says that the code is switched off.',
    ),
  suspension: z
    .object({
      reason: ownText().describe('Why, in the operator’s words.'),
      since: z.iso.datetime().describe('Since when: ISO 8601 in UTC.'),
    })
    .nullable()
    .describe(
      'Set if the operator of the service has suspended the code: whatever `status` is, scans get a page that says so, ' +
        'and 403. Only the operator can lift it. Null if the code is not suspended.',
    ),
  encrypted: z.boolean().describe('Whether the payload is encrypted.'),
  passwordProtected: z.boolean().describe('Whether scanners must enter a password.'),
  expiresAt: ownText()
    .nullable()
    .describe(
      'When the code expires: ISO 8601 in UTC, with a sign and six digits for years after 9999. From then ' +
        'on, scans get 410. Null if the code does not expire.',
    ),
  maxScans: z
    .number()
    .int()
    .nullable()
    .describe('The scan cap. Once it is reached, further scans get 410. Null if there is no cap.'),
  scanCount: z
    .number()
    .int()
    .describe('The number of scans so far. Crawlers and link previews are not counted.'),
  lastScannedAt: z.iso
    .datetime()
    .nullable()
    .describe('When the code was last scanned, as known a minute ago: ISO 8601 in UTC. Null if never.'),
  secure: z.array(z.enum(secureKinds)).describe('The protections of the code.'),
  ...shownOwnFields,
  createdBy: ownText()
    .nullable()
    .describe('The id of the API key that created the code; null for codes of earlier releases.'),
  tags: z.array(ownText()).describe('The tags of the code, by name.'),
  folderId: ownText().nullable().describe('The id of the folder that the code is in; null if it is in none.'),
  archived: z
    .boolean()
    .describe(
      'Whether the code is archived: lists leave it out unless they are asked for it. It still redirects.',
    ),
  importId: ownText().nullable().describe('The id of the import that made the code; null if none did.'),
  importedScanCount: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'The scans that another service had counted when the code was imported from it. They are not in `scanCount`, ' +
        'nor in any analytics. Null if the code was not imported, or its file had no count.',
    ),
  healthCheck: z.boolean().describe('Whether the destination is checked once a day.'),
  destinationHealth: destinationHealth
    .nullable()
    .describe(
      'The last check of the present destination. Null if it is not checked, or has not been checked yet.',
    ),
  createdAt: z.iso
    .datetime()
    .describe(
      'When the code was created: ISO 8601 in UTC. Of an imported code, when it was created in the other service, if ' +
        'its file says so.',
    ),
  updatedAt: z.iso.datetime().describe('When the code was last changed: ISO 8601 in UTC.'),
});

export type CodeObject = z.infer<typeof codeObject>;

export const campaignObject = z.object({
  status: z.enum(campaignStatuses).describe('If `paused`, scans go to the destination of the code.'),
  variants: z
    .array(
      z.object({
        id: ownText().describe('The id of the variant. Analytics are kept by it.'),
        name: ownText().describe('A human-readable name.'),
        destination: ownText().describe('Where scans of this variant go.'),
        weight: z
          .number()
          .describe(
            'The share of the scans, relative to the weights of the other variants. 0 means no scans.',
          ),
      }),
    )
    .describe('The destinations among which scans are divided.'),
});

export const ruleObject = z.object({
  id: ownText().describe('The id of the rule. Analytics are kept by it.'),
  condition: routingConditionObject,
  destination: ownText().describe('Where matching scans go.'),
});

export const deepLinkObject = z.object({
  ios: z
    .object({
      url: ownText().describe('The URL that opens the app.'),
      appStoreUrl: ownText()
        .optional()
        .describe('Where scanners without the app go. Used only if `url` has the app’s own scheme.'),
      appId: ownText().optional().describe('The team id and bundle id, for `apple-app-site-association`.'),
    })
    .optional()
    .describe('The app on iPhones and iPads.'),
  android: z
    .object({
      url: ownText().describe('The URL that opens the app.'),
      playStoreUrl: ownText()
        .optional()
        .describe('Where scanners without the app go. Used only if `url` has the app’s own scheme.'),
      package: ownText().optional().describe('The package name, for `assetlinks.json`.'),
      sha256CertFingerprints: z
        .array(ownText())
        .optional()
        .describe('The SHA-256 fingerprints of the certificates that sign the app.'),
    })
    .optional()
    .describe('The app on Android.'),
});

const recordingObject = {
  analytics: z.literal('none').optional().describe('`none`: scans are not recorded. Omitted if they are.'),
};

/** Further fields of a code when it is read or updated, each only if it is set. */
const configuration = {
  data: z
    .looseObject({})
    .optional()
    .describe('The fields that `destination` was made from. Omitted if it was given as text.'),
  encryption: z
    .object({ type: z.enum(encryptionTypes).describe('How the payload is encrypted.') })
    .optional()
    .describe('Omitted if the code is not encrypted. No key is stored.'),
  campaign: campaignObject
    .optional()
    .describe(
      'While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. ' +
        'Omitted if there is no campaign.',
    ),
  routingRules: z
    .array(ruleObject)
    .optional()
    .describe('The first rule whose condition matches decides. Omitted if there are no rules.'),
  deepLinkConfig: deepLinkObject
    .optional()
    .describe('Apps to open on iOS and Android. Omitted if there are no apps.'),
  messages: z
    .partialRecord(
      z.enum(['inactive', 'notStarted', 'expired', 'capped']),
      z.object({
        title: ownText().optional().describe('Replaces the title.'),
        text: ownText().optional().describe('Replaces the text below the title.'),
        button: z
          .object({
            label: ownText().describe('The text on the button.'),
            url: ownText().describe('Where it leads.'),
          })
          .optional()
          .describe('The way on, above those of the workspace.'),
      }),
    )
    .optional()
    .describe('What people see in place of the code if it leads nowhere. Omitted if nothing is set.'),
  ...routingExtrasObject,
  ...recordingObject,
  style: savedStyle.optional().describe('The saved style: the keys that are set. Omitted if no key is set.'),
  sources: z
    .array(
      z.object({
        id: ownText().describe('The value in `?s=`.'),
        name: ownText().describe('A human-readable name.'),
      }),
    )
    .optional()
    .describe(
      'Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source. Omitted if there are ' +
        'no sources.',
    ),
} satisfies Record<Expansion, z.ZodType>;

const aliasUrls = z
  .array(ownText())
  .optional()
  .describe('The URLs of its aliases, the first made first. Omitted if there are none.');

/** One code when it is read or updated. */
export const wholeCodeObject = codeObject.extend({ ...configuration, aliases: aliasUrls });

/** A code in a list. */
export const listedCodeObject = codeObject.extend(configuration);
export type ListedCodeObject = z.infer<typeof listedCodeObject>;

/** The answers of a create and an update. */
const dryRun = z
  .literal(true)
  .optional()
  .describe('Nothing was stored: this is what would be. Present with `dryRun=true` only.');

export const createdCodeObject = codeObject.extend({ aliases: aliasUrls, warnings: styleWarnings, dryRun });
/** The answer of a DELETE. */
export const deactivatedCodeObject = codeObject.extend({
  activateUrl: ownText().describe('A `POST` to it makes the code active again.'),
});
export const updatedCodeObject = wholeCodeObject.extend({ warnings: styleWarnings, dryRun });
export const revertedCodeObject = wholeCodeObject.extend({
  notRestored: z
    .array(ownText())
    .describe(
      'The fields that stay as they are, although they were different then: `password`, whose hash is kept nowhere; ' +
        '`expiresAt`, if that time has passed; `style`, if its logo is no longer kept; `folderId`, if that folder is gone.',
    ),
});

export type WholeCodeObject = z.infer<typeof wholeCodeObject>;

const scans = z.number().int().describe('The number of scans.');
const uniqueScans = z.number().int().describe('The number of distinct visitors.');

/** Values of one breakdown. */
export const breakdownValuesMax = 250;

const scansBy = <Entry extends z.ZodObject>(what: string, entry: Entry) =>
  z
    .array(entry)
    .describe(
      `Scans in the window by ${what}: the ${breakdownValuesMax} most frequent values. Scans without one are omitted.`,
    );

/** Scans of one code over the last days, including today; `series` has every day of the window. */
export const codeAnalytics = z.object({
  id: ownText().describe('The id of the code.'),
  days: z.number().int().describe('The length of the window in days.'),
  from: z.iso.date().describe('The first day of the window.'),
  to: z.iso.date().describe('The last day of the window: today.'),
  timezone: ownText().describe('The IANA time zone of the days.'),
  totalScans: z.number().int().describe('The number of scans in the window.'),
  uniqueScans: z
    .number()
    .int()
    .describe(
      'The number of distinct visitors in the window. Visitors are not recognised across days: a visitor ' +
        'on two days counts twice.',
    ),
  series: z
    .array(z.object({ date: z.iso.date().describe('The day.'), scans, uniqueScans }))
    .describe('Every day of the window, the earliest first.'),
  countries: scansBy('country', z.object({ country: ownText().describe('ISO 3166-1 alpha-2.'), scans })),
  devices: scansBy('kind of device', z.object({ device: ownText().describe('The kind of device.'), scans })),
  os: scansBy('operating system', z.object({ os: ownText().describe('The operating system.'), scans })),
  browsers: scansBy('browser', z.object({ browser: ownText().describe('The browser.'), scans })),
  referrers: scansBy(
    'referring site',
    z.object({ referrer: ownText().describe('The host of the site.'), scans }),
  ),
  sources: scansBy(
    'source in `?s=`',
    z.object({ source: ownText().describe('The id of the source.'), scans }),
  ),
  variants: scansBy(
    'campaign variant',
    z.object({ variant: ownText().describe('The id of the variant.'), scans }),
  ),
  rules: scansBy(
    'matching routing rule',
    z.object({ rule: ownText().describe('The id of the rule.'), scans }),
  ),
  conversions: conversionFigures
    .extend({
      series: z
        .array(conversionFigures.extend({ date: z.iso.date().describe('The day.') }))
        .describe('Every day of the window, the earliest first.'),
      variants: z
        .array(conversionFigures.extend({ variant: ownText().describe('The id of the variant.') }))
        .describe('By campaign variant, the most conversions first.'),
      rules: z
        .array(conversionFigures.extend({ rule: ownText().describe('The id of the rule.') }))
        .describe('By matching routing rule, the most conversions first.'),
    })
    .optional()
    .describe('The results of the scans. Only with the parameter `conversions`.'),
});

export type CodeAnalytics = z.infer<typeof codeAnalytics>;
