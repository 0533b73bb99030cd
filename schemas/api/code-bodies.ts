/** The bodies of requests that create and change dynamic and static codes. */
import { z } from 'zod';
import { acceptedFields } from './accepted-fields.ts';
import { checkField } from './check-field.ts';
import { codeFieldTexts as says } from './code-texts.ts';
import { codeNameLengthMax, codeStatuses } from './codes.ts';
import { type DataType, dataTypes } from './data-types.ts';
import { createDestination } from './destination.ts';
import { createPayloads, payloadLengthMax } from './payloads.ts';
import {
  encryption,
  expiresAt,
  expiry,
  maxScans,
  password,
  protectionRefusals,
  secure,
} from './protection.ts';
import { createCampaign, createDeepLinkConfig, createRoutingRules, sources } from './routing.ts';
import { rowLogo, rowLogoText } from './row-logo.ts';
import { type Style, styleFields, styleUpdateFields, whyStyleRefused } from './style.ts';
import { boundedText, label } from './text.ts';

/** Null and an empty string both mean none. */
const name = label(codeNameLengthMax)
  .nullable()
  .transform((text) => text || null);

/** A string or an object with fields, depending on the data type. */
const payload = z.union([boundedText(payloadLengthMax), z.looseObject({})], {
  // A missing field gets the usual message for missing fields.
  error: ({ input }) => (input === undefined ? undefined : 'must be a string or an object'),
});

/** Fields that only a stored code has. */
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

/** Fields that a create accepts but an update does not, and what an update accepts instead. */
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

/** Checks run even if the body is already invalid, so that one answer reports everything. */
const always = { when: () => true };

interface CreateCommon extends Pick<Style, 'preset' | 'brandKitId'> {
  data: unknown;
  dataType: DataType;
}

const checkStyle = (body: Parameters<typeof whyStyleRefused>[0], context: z.RefinementCtx): void => {
  const message = whyStyleRefused(body);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
};

/** Fields that static and dynamic codes share. */
const contents = {
  data: payload.meta({ description: says.data }),
  dataType: z.enum(dataTypes).default('url').meta({ description: says.dataType }),
  name: name.default(null).meta({ description: says.name }),
  sources: sources.optional().meta({ description: says.sources }),
};

const protection = {
  secure: secure.optional().meta({ description: says.secure }),
  password: password.optional().meta({ description: says.password }),
  encryption: encryption.optional().meta({ description: says.encryption }),
  expiry: expiry.optional().meta({ description: says.expiry }),
  expiresAt: expiresAt.optional().meta({ description: says.expiresAt }),
  maxScans: maxScans.optional().meta({ description: says.maxScans }),
};

type Destination = ReturnType<typeof createDestination>;
type Payloads = ReturnType<typeof createPayloads>;

const routingFields = (destination: Destination) => ({
  routingRules: createRoutingRules(destination)
    .nullable()
    .optional()
    .meta({ description: says.routingRules }),
  campaign: createCampaign(destination).nullable().optional().meta({ description: says.campaign }),
  deepLinkConfig: createDeepLinkConfig(destination)
    .nullable()
    .optional()
    .meta({ description: says.deepLinkConfig }),
});

/** Checks `data` by the data type, and the style. */
const createContentsCheck =
  (payloads: Payloads) =>
  (body: CreateCommon, context: z.RefinementCtx): void => {
    const isKnownType = dataTypes.includes(body.dataType);
    if (isKnownType && payload.safeParse(body.data).success)
      checkField(context, 'data', payloads.of(body.dataType, body.data), body.data);
    checkStyle(body, context);
  };

type ContentsCheck = ReturnType<typeof createContentsCheck>;

const dynamicBody = (routing: ReturnType<typeof routingFields>, checkContents: ContentsCheck) =>
  z.strictObject({ ...contents, ...protection, ...routing, ...styleFields }).superRefine((body, context) => {
    if (typeof body !== 'object' || body === null) return;
    checkContents(body, context);
    for (const [field, message] of protectionRefusals(body))
      context.addIssue({ code: 'custom', path: [field], message });
  }, always);

const staticBody = (checkContents: ContentsCheck) =>
  z
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

/** Kits belong to workspaces: a caller without a key has none. */
const publicStaticBody = (body: ReturnType<typeof staticBody>) =>
  body.safeExtend({
    brandKitId: z
      .never('must not be given without an API key')
      .optional()
      .meta({ description: says.notPublic }),
  });

/** A static or a dynamic code, depending on `type`. */
const generateBody = (body: ReturnType<typeof dynamicBody>) =>
  body
    .safeExtend({ type: z.enum(['static', 'dynamic']).default('static').meta({ description: says.type }) })
    .superRefine((given, context) => {
      if (typeof given !== 'object' || given === null || given.type === 'dynamic') return;
      for (const field of dynamicOnly) checkField(context, field, notStatic, given[field]);
    }, always);

/** Points callers who send a redirect URL to get its picture to the row that draws it. */
const idInstead = '; the row {"uid": …, "id": …} draws the picture of a dynamic code';

/** In the rows of bulk calls. */
const rowFields = { image: rowLogo.optional().meta({ description: rowLogoText }) };

/** A missing field stays unchanged. */
const updateBody = (routing: ReturnType<typeof routingFields>) =>
  z
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
      if (typeof body === 'object' && body !== null) checkStyle(body, context);
    }, always);

/** @param qrHost the origin of redirects: no code may lead to another code */
export const createCodeBodies = (qrHost: string) => {
  const destination = createDestination(qrHost);
  const payloads = createPayloads(destination);
  const routing = routingFields(destination);
  const checkContents = createContentsCheck(payloads);
  const create = dynamicBody(routing, checkContents);
  const staticCode = staticBody(checkContents);
  const checkRow = createContentsCheck(createPayloads(createDestination(qrHost, idInstead)));
  return {
    create,
    staticCode,
    /** A row that becomes a dynamic code, without its `uid`. */
    row: create.safeExtend(rowFields),
    /** A row that becomes a picture of a static code, without its `uid`. */
    staticRow: staticBody(checkRow).safeExtend(rowFields),
    publicStaticCode: publicStaticBody(staticCode),
    generate: generateBody(create),
    update: updateBody(routing),
    /** The `destination` of an update to a code of this type, as an object with only that field. */
    destinationOf: (dataType: DataType, given: unknown) =>
      z.object({ destination: payloads.of(dataType, given) }),
  };
};

export type CreateCodeBody = z.output<ReturnType<typeof createCodeBodies>['create']>;
export type StaticCodeBody = z.output<ReturnType<typeof createCodeBodies>['staticCode']>;
export type UpdateCodeBody = z.output<ReturnType<typeof createCodeBodies>['update']>;
