/** Dynamic QR codes as the API returns them, and their queries. Their bodies are in code-bodies.ts. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import {
  analyticsTexts,
  codeObjectTexts,
  listTexts,
  pageTexts,
  queryTexts,
  wholeCodeTexts,
} from './code-object-texts.ts';
import { dataTypes } from './data-types.ts';
import { described } from './described.ts';
import { secureKinds } from './protection.ts';
import { campaignStatuses } from './routing.ts';
import {
  androidTexts,
  campaignTexts,
  conditionTexts,
  deepLinkTexts,
  iosTexts,
  ruleTexts,
  sourceTexts,
  variantTexts,
} from './routing-texts.ts';
import { savedStyle, styleWarnings } from './style.ts';
import { boundedText, ownText, timeZoneLengthMax, wholeNumberParameter } from './text.ts';

export const codeStatuses = ['active', 'inactive'] as const;

export type CodeStatus = (typeof codeStatuses)[number];

export const codeNameLengthMax = 120;

/** Ours have 27 characters. */
const cursorLengthMax = 100;

export const codeListQuery = z.object(
  described(
    {
      limit: wholeNumberParameter(1, 100).default(25),
      cursor: boundedText(cursorLengthMax).optional(),
      type: z.enum(dataTypes).optional(),
      status: z.enum(codeStatuses).optional(),
    },
    queryTexts.list,
  ),
);

export type CodeListQuery = z.output<typeof codeListQuery>;

const notTimeZone = 'must be an IANA time zone such as Europe/Berlin';

const canonicalTimeZone = (name: string | undefined, context: z.RefinementCtx): string => {
  if (name === undefined) return 'UTC';
  try {
    // Intl also accepts offsets such as +02:00, which are not names and have no summer time.
    if (/^[A-Za-z]/.test(name))
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  context.addIssue({ code: 'custom', message: notTimeZone });
  return z.NEVER;
};

export const codeAnalyticsQuery = z.object(
  described(
    {
      days: wholeNumberParameter(1, 90).default(30),
      timezone: boundedText(timeZoneLengthMax, notTimeZone).optional().transform(canonicalTimeZone),
    },
    queryTexts.analytics,
  ),
);

/** A dynamic code. Times are ISO 8601. */
export const codeObject = z.object(
  described(
    {
      id: ownText(),
      type: z.literal('dynamic'),
      name: ownText().nullable(),
      dataType: z.enum(dataTypes),
      destination: ownText(),
      redirectUrl: ownText(),
      status: z.enum(codeStatuses),
      encrypted: z.boolean(),
      passwordProtected: z.boolean(),
      expiresAt: ownText().nullable(),
      maxScans: z.number().int().nullable(),
      scanCount: z.number().int(),
      secure: z.array(z.enum(secureKinds)),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    },
    codeObjectTexts,
  ),
);

export type CodeObject = z.infer<typeof codeObject>;

/** One code when it is read or updated: further fields, each only if it is set. */
export const wholeCodeObject = codeObject.extend(
  described(
    {
      campaign: z
        .object(
          described(
            {
              status: z.enum(campaignStatuses),
              variants: z.array(
                z.object(
                  described(
                    { id: ownText(), name: ownText(), destination: ownText(), weight: z.number() },
                    variantTexts,
                  ),
                ),
              ),
            },
            campaignTexts,
          ),
        )
        .optional(),
      routingRules: z
        .array(
          z.object(
            described(
              {
                id: ownText(),
                condition: z.object(
                  described(
                    {
                      country: z.array(ownText()).optional(),
                      device: z.array(z.enum(devices)).optional(),
                      os: z.array(z.enum(operatingSystems)).optional(),
                    },
                    conditionTexts,
                  ),
                ),
                destination: ownText(),
              },
              ruleTexts,
            ),
          ),
        )
        .optional(),
      deepLinkConfig: z
        .object(
          described(
            {
              ios: z
                .object(
                  described(
                    { url: ownText(), appStoreUrl: ownText().optional(), appId: ownText().optional() },
                    iosTexts,
                  ),
                )
                .optional(),
              android: z
                .object(
                  described(
                    {
                      url: ownText(),
                      playStoreUrl: ownText().optional(),
                      package: ownText().optional(),
                      sha256CertFingerprints: z.array(ownText()).optional(),
                    },
                    androidTexts,
                  ),
                )
                .optional(),
            },
            deepLinkTexts,
          ),
        )
        .optional(),
      style: savedStyle.optional(),
      sources: z.array(z.object(described({ id: ownText(), name: ownText() }, sourceTexts))).optional(),
    },
    wholeCodeTexts,
  ),
);

/** The answers of a create and an update. */
export const createdCodeObject = codeObject.extend({ warnings: styleWarnings });
/** The answer of a DELETE. */
export const deactivatedCodeObject = codeObject.extend({
  activateUrl: ownText().meta({ description: 'A `POST` to it makes the code active again.' }),
});
export const updatedCodeObject = wholeCodeObject.extend({ warnings: styleWarnings });

export type WholeCodeObject = z.infer<typeof wholeCodeObject>;

export const codeList = z.object(
  described(
    {
      data: z.array(codeObject),
      pagination: z.object(
        described(
          {
            total: z.number().int(),
            limit: z.number().int(),
            cursor: ownText().nullable(),
            nextCursor: ownText().nullable(),
          },
          pageTexts,
        ),
      ),
    },
    listTexts,
  ),
);

export type CodeList = z.infer<typeof codeList>;

const scans = z.number().int();

/** Scans of one code over the last days, including today; `series` has every day of the window. */
export const codeAnalytics = z.object(
  described(
    {
      id: ownText(),
      days: z.number().int(),
      from: z.iso.date(),
      to: z.iso.date(),
      timezone: ownText(),
      totalScans: z.number().int(),
      uniqueScans: z.number().int(),
      series: z.array(
        z.object(described({ date: z.iso.date(), scans, uniqueScans: scans }, analyticsTexts.day)),
      ),
      countries: z.array(z.object(described({ country: ownText(), scans }, analyticsTexts.country))),
      devices: z.array(z.object(described({ device: ownText(), scans }, analyticsTexts.device))),
      os: z.array(z.object(described({ os: ownText(), scans }, analyticsTexts.os))),
      browsers: z.array(z.object(described({ browser: ownText(), scans }, analyticsTexts.browser))),
      referrers: z.array(z.object(described({ referrer: ownText(), scans }, analyticsTexts.referrer))),
      sources: z.array(z.object(described({ source: ownText(), scans }, analyticsTexts.source))),
      variants: z.array(z.object(described({ variant: ownText(), scans }, analyticsTexts.variant))),
      rules: z.array(z.object(described({ rule: ownText(), scans }, analyticsTexts.rule))),
    },
    analyticsTexts.all,
  ),
);

export type CodeAnalytics = z.infer<typeof codeAnalytics>;
