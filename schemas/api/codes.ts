/** Dynamic QR codes, as the API takes and returns them. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import { acceptedFields } from './accepted-fields.ts';
import {
  analyticsTexts,
  codeObjectTexts,
  listTexts,
  pageTexts,
  queryTexts,
  wholeCodeTexts,
} from './code-object-texts.ts';
import { codeFieldTexts as says } from './code-texts.ts';
import { type DataType, dataTypes } from './data-types.ts';
import { described } from './described.ts';
import { createDestination } from './destination.ts';
import { createPayloads, payloadLengthMax } from './payloads.ts';
import { encryption, expiresAt, expiry, maxScans, password, secure, secureKinds } from './protection.ts';
import {
  campaignStatuses,
  createCampaign,
  createDeepLinkConfig,
  createRoutingRules,
  sources,
} from './routing.ts';
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
import {
  type Style,
  savedStyle,
  styleFields,
  styleUpdateFields,
  styleWarnings,
  whyStyleRefused,
} from './style.ts';
import { boundedText, label, ownText, timeZoneLengthMax, wholeNumberParameter } from './text.ts';

export const codeStatuses = ['active', 'inactive'] as const;

export type CodeStatus = (typeof codeStatuses)[number];

export const codeNameLengthMax = 120;

/** Null and an empty string both mean that there is none. */
const name = label(codeNameLengthMax)
  .nullable()
  .transform((text) => text || null);

/** Which of the two, and which fields, depends on the data type. */
const payload = z.union([boundedText(payloadLengthMax), z.looseObject({})], {
  // Where it is absent, the common words for that are the right ones.
  error: ({ input }) => (input === undefined ? undefined : 'must be a string or an object'),
});

type Refusal = [field: string, message: string];

/** What a create gives to protect the code with. */
interface Protection {
  secure?: readonly string[] | undefined;
  password?: unknown;
  encryption?: unknown;
  expiry?: unknown;
  expiresAt?: unknown;
}

/** `secure` names what comes with a field of its own: neither goes without the other. */
const protectionRefusals = (body: Protection): Refusal[] => {
  const pairs = [
    ['password', 'password'],
    ['encrypt', 'encryption'],
    ['expire', 'expiry'],
  ] as const;
  const named = Array.isArray(body.secure) ? body.secure : [];
  const refusals = pairs.flatMap(([kind, field]): Refusal[] => {
    const given = body[field] !== undefined;
    if (named.includes(kind) === given) return [];
    return given
      ? [[field, `must not be given unless secure includes ${kind}`]]
      : [[field, `is required when secure includes ${kind}`]];
  });
  if (body.expiry !== undefined && body.expiresAt !== undefined)
    refusals.push(['expiresAt', 'must not be given together with expiry']);
  return refusals;
};

const unsaid = 'unsaid';

/** Reports what a schema says of one field's value as if it were in the body's own schema. */
const checkField = (context: z.RefinementCtx, field: string, schema: z.ZodType, value: unknown): void => {
  const { error } = schema.safeParse(value, {
    reportInput: true,
    // Only this issue, as it is before it is passed on, knows the schema that it comes from.
    error: (issue) => (issue.code === 'unrecognized_keys' ? acceptedFields(issue) : unsaid),
  });
  for (const { message, ...issue } of error?.issues ?? []) {
    const path = [field, ...issue.path];
    // Without a message of its own, the failure gets the one that the whole body's failures get.
    context.addIssue({ ...issue, path, ...(message !== unsaid && { message }) } as z.core.$ZodRawIssue);
  }
};

/** What only a code that is stored can have. */
const dynamicOnly = [
  'secure',
  'password',
  'encryption',
  'expiry',
  'expiresAt',
  'maxScans',
  'routingRules',
  'campaign',
  'deepLinkConfig',
] as const;

const notStatic = z
  .never('must not be given for a static code')
  .optional()
  .meta({ description: says.notStatic });

/** Fields of a create that an update does not take, and what it takes in place of them. */
const insteadInUpdate: Readonly<Record<string, string>> = {
  data: 'destination is the new content of a code',
  dataType: 'the dataType of a code never changes',
  expiry: 'expiresAt is the new end of a code',
  secure: 'an update has password and expiresAt, each null to remove it',
  encryption: 'a code is encrypted when it is created, or never',
  sources: 'the sources of a code never change',
};

const fieldsOfUpdate = (issue: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string => {
  const hints = issue.keys.flatMap((key) =>
    Object.hasOwn(insteadInUpdate, key) ? (insteadInUpdate[key] ?? []) : [],
  );
  return [...hints, acceptedFields(issue)].join('; ');
};

/** Checks run however much of the body is wrong already, so that one answer says all of it. */
const always = { when: () => true };

interface CreateCommon extends Pick<Style, 'preset' | 'brandKitId'> {
  data: unknown;
  dataType: DataType;
}

/** @param qrHost the origin of redirects: no code may lead to a code */
export const createCodeBodies = (qrHost: string) => {
  const destination = createDestination(qrHost);
  const payloads = createPayloads(destination);
  const routing = {
    routingRules: createRoutingRules(destination)
      .nullable()
      .optional()
      .meta({ description: says.routingRules }),
    campaign: createCampaign(destination).nullable().optional().meta({ description: says.campaign }),
    deepLinkConfig: createDeepLinkConfig(destination)
      .nullable()
      .optional()
      .meta({ description: says.deepLinkConfig }),
  };
  const contents = {
    data: payload.meta({ description: says.data }),
    dataType: z.enum(dataTypes).default('url').meta({ description: says.dataType }),
    name: name.default(null).meta({ description: says.name }),
    sources: sources.optional().meta({ description: says.sources }),
  };
  const checkContents = (body: CreateCommon, context: z.RefinementCtx): void => {
    const isKnownType = dataTypes.includes(body.dataType);
    if (isKnownType && payload.safeParse(body.data).success)
      checkField(context, 'data', payloads.of(body.dataType, body.data), body.data);
    const message = whyStyleRefused(body);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
  };
  const create = z
    .strictObject({
      ...contents,
      secure: secure.optional().meta({ description: says.secure }),
      password: password.optional().meta({ description: says.password }),
      encryption: encryption.optional().meta({ description: says.encryption }),
      expiry: expiry.optional().meta({ description: says.expiry }),
      expiresAt: expiresAt.optional().meta({ description: says.expiresAt }),
      maxScans: maxScans.optional().meta({ description: says.maxScans }),
      ...routing,
      ...styleFields,
    })
    .superRefine((body, context) => {
      if (typeof body !== 'object' || body === null) return;
      const refuse = ([field, message]: Refusal) =>
        context.addIssue({ code: 'custom', path: [field], message });
      checkContents(body, context);
      for (const refusal of protectionRefusals(body)) refuse(refusal);
    }, always);
  const staticCode = z
    .strictObject({
      ...contents,
      ...styleFields,
      ...(Object.fromEntries(dynamicOnly.map((field) => [field, notStatic])) as Record<
        (typeof dynamicOnly)[number],
        typeof notStatic
      >),
    })
    .superRefine((body, context) => {
      if (typeof body === 'object' && body !== null) checkContents(body, context);
    }, always);
  /** Kits belong to workspaces, and who has no key has none. */
  const publicStaticCode = staticCode.safeExtend({
    brandKitId: z
      .never('must not be given without an API key')
      .optional()
      .meta({ description: says.notPublic }),
  });
  const generate = create
    .safeExtend({ type: z.enum(['static', 'dynamic']).default('static').meta({ description: says.type }) })
    .superRefine((body, context) => {
      if (typeof body !== 'object' || body === null || body.type === 'dynamic') return;
      for (const field of dynamicOnly) checkField(context, field, notStatic, body[field]);
    }, always);
  /** An absent field stays as it is. */
  const update = z
    .strictObject(
      {
        destination: payload.optional().meta({ description: says.destination }),
        name: name.optional().meta({ description: says.name }),
        status: z.enum(codeStatuses).optional().meta({ description: says.status }),
        password: password.nullable().optional().meta({ description: says.newPassword }),
        expiresAt: expiresAt.optional().meta({ description: says.expiresAt }),
        maxScans: maxScans.optional().meta({ description: says.maxScans }),
        ...routing,
        ...styleUpdateFields,
      },
      { error: (issue) => (issue.code === 'unrecognized_keys' ? fieldsOfUpdate(issue) : undefined) },
    )
    .superRefine((body, context) => {
      if (typeof body !== 'object' || body === null) return;
      const message = whyStyleRefused(body);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
    }, always);
  /** The `destination` of an update of a code of this type, as an object of that one field. */
  const destinationOf = (dataType: DataType, given: unknown) =>
    z.object({ destination: payloads.of(dataType, given) });
  return { create, staticCode, publicStaticCode, generate, update, destinationOf };
};

export type CreateCodeBody = z.output<ReturnType<typeof createCodeBodies>['create']>;
export type StaticCodeBody = z.output<ReturnType<typeof createCodeBodies>['staticCode']>;
export type UpdateCodeBody = z.output<ReturnType<typeof createCodeBodies>['update']>;

/** They have 27 characters. */
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
    // Intl also takes offsets such as +02:00, which are no names and know no summer time.
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

/** A dynamic code. Instants are ISO 8601. */
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

/** What one code shows when it is read or updated: with what it has besides, each only when it is set. */
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

/** What a create and an update answer. */
export const createdCodeObject = codeObject.extend({ warnings: styleWarnings });
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

/** Scans of one code over the last days, today included; every day of the window is in `series`. */
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
