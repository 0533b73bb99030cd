/** Dynamic QR codes, as the API takes and returns them. */
import { z } from 'zod';
import { createDestination } from './destination.ts';
import { label, wholeNumberParameter } from './text.ts';

export const dataTypes = [
  'url',
  'text',
  'email',
  'wifi',
  'vcard',
  'sms',
  'phone',
  'geo',
  'vcalendar',
  'mecard',
  'gs1',
] as const;
export const codeStatuses = ['active', 'inactive'] as const;
export const imageFormats = ['png', 'svg'] as const;

export type CodeStatus = (typeof codeStatuses)[number];
export type ImageFormat = (typeof imageFormats)[number];

export const codeNameLengthMax = 120;

/** Null and an empty string both mean that there is none. */
const name = label(codeNameLengthMax)
  .nullable()
  .transform((text) => text || null);

/** @param qrHost the origin of redirects: no code may lead to a code */
export const createCodeBodies = (qrHost: string) => {
  const destination = createDestination(qrHost);
  return {
    create: z.strictObject({
      data: destination,
      dataType: z.literal('url').default('url'),
      name: name.default(null),
    }),
    /** An absent field stays as it is. */
    update: z.strictObject({
      destination: destination.optional(),
      name: name.optional(),
      status: z.enum(codeStatuses).optional(),
    }),
  };
};

export type CreateCodeBody = z.output<ReturnType<typeof createCodeBodies>['create']>;
export type UpdateCodeBody = z.output<ReturnType<typeof createCodeBodies>['update']>;

export const codeListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25),
  cursor: z.string().optional(),
  type: z.enum(dataTypes).optional(),
  status: z.enum(codeStatuses).optional(),
});

export type CodeListQuery = z.output<typeof codeListQuery>;

export const codeImageQuery = z.object({
  format: z.enum(imageFormats).default('png'),
  /** Pixels of each side. */
  size: wholeNumberParameter(64, 4096).default(512),
});

const canonicalTimeZone = (name: string | undefined, context: z.RefinementCtx): string => {
  if (name === undefined) return 'UTC';
  try {
    // Intl also takes offsets such as +02:00, which are no names and know no summer time.
    if (/^[A-Za-z]/.test(name))
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  context.addIssue({ code: 'custom', message: 'must be an IANA time zone such as Europe/Berlin' });
  return z.NEVER;
};

export const codeAnalyticsQuery = z.object({
  days: wholeNumberParameter(1, 90).default(30),
  /** IANA name; days begin at its midnight. */
  timezone: z.string().optional().transform(canonicalTimeZone),
});

/** A dynamic code. Instants are ISO 8601. */
export const codeObject = z.object({
  id: z.string(),
  type: z.literal('dynamic'),
  name: z.string().nullable(),
  dataType: z.enum(dataTypes),
  destination: z.string(),
  redirectUrl: z.string(),
  status: z.enum(codeStatuses),
  encrypted: z.boolean(),
  passwordProtected: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  maxScans: z.number().int().nullable(),
  scanCount: z.number().int(),
  secure: z.array(z.enum(['password', 'encrypt', 'expire'])),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type CodeObject = z.infer<typeof codeObject>;

export const codeList = z.object({
  data: z.array(codeObject),
  pagination: z.object({
    /** Codes that the filters let through, on all pages together. */
    total: z.number().int(),
    limit: z.number().int(),
    cursor: z.string().nullable(),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  }),
});

export type CodeList = z.infer<typeof codeList>;

const scans = z.number().int();

/** Scans of one code over the last days, today included; every day of the window is in `series`. */
export const codeAnalytics = z.object({
  id: z.string(),
  days: z.number().int(),
  /** First and last day of the window, `YYYY-MM-DD`. */
  from: z.iso.date(),
  to: z.iso.date(),
  timezone: z.string(),
  totalScans: z.number().int(),
  /** Distinct visitors of the whole window. Who comes on two days is two visitors: no one is recognised across days. */
  uniqueScans: z.number().int(),
  series: z.array(z.object({ date: z.iso.date(), scans, uniqueScans: scans })),
  countries: z.array(z.object({ country: z.string(), scans })),
  devices: z.array(z.object({ device: z.string(), scans })),
  os: z.array(z.object({ os: z.string(), scans })),
  browsers: z.array(z.object({ browser: z.string(), scans })),
  referrers: z.array(z.object({ referrer: z.string(), scans })),
  sources: z.array(z.object({ source: z.string(), scans })),
  variants: z.array(z.object({ variant: z.string(), scans })),
  rules: z.array(z.object({ rule: z.string(), scans })),
});

export type CodeAnalytics = z.infer<typeof codeAnalytics>;
