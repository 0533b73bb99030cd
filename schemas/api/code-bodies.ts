/** The bodies of requests that create and change dynamic and static codes. */
import { z } from 'zod';
import { acceptedFields } from './accepted-fields.ts';
import { aliasFields, checkAliasFields } from './aliases.ts';
import { checkField } from './check-field.ts';
import { createRoutingExtras, routingKeys, routingRefusals } from './code-routing.ts';
import { codeAnalyticsModes, codeNameLengthMax, codeStatuses } from './codes.ts';
import { type DataType, dataTypes } from './data-types.ts';
import { createDestination } from './destination.ts';
import { folderId } from './folders.ts';
import { messages } from './messages.ts';
import { externalId, newOwnFields, updatedOwnFields } from './own-fields.ts';
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
import { tags } from './tags.ts';
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
  'messages',
  'externalId',
  'metadata',
  'notes',
  ...routingKeys,
  'alias',
  'aliasDomain',
  'aliasLength',
  'aliasPrefix',
  'tags',
  'folderId',
  'archived',
  'healthCheck',
  'analytics',
] as const;

const notStatic = z
  .never('must not be given for a static code')
  .optional()
  .describe('Must not be given: only dynamic codes have it.');

/** Fields that a create accepts but an update does not, and what an update accepts instead. */
const insteadInUpdate: Readonly<Record<string, string>> = {
  data: 'destination is the new content of a code',
  dataType: 'the dataType of a code never changes',
  expiry: 'expiresAt is the new end of a code',
  secure: 'an update has password and expiresAt, each null to remove it',
  encryption: 'a code is encrypted when it is created, or never',
  sources: 'the sources of a code never change',
  alias: 'POST /api/qr/codes/{id}/aliases adds one',
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

/** The fields of each type from which a payload is built. */
const dataFields: Readonly<Record<Exclude<DataType, 'url' | 'text'>, string>> = {
  wifi:
    '`{ssid, encryption, password?, hidden?}`. `encryption` is `WPA`, `WEP` or `nopass`. `password` is ' +
    'required unless `encryption` is `nopass`',
  email: '`{to, subject?, body?}`',
  sms: '`{phone, message?}`',
  phone: '`{phone}`',
  geo: '`{latitude, longitude}` in degrees',
  vcard:
    '`{firstName?, lastName?, phone?, email?, organization?, title?, website?, address?}`, with at least one ' +
    'of `firstName`, `lastName`, `organization`',
  mecard: '`{name, phone?, email?, url?, address?, note?}`',
  vcalendar:
    '`{title, start, end, location?, description?, timeZone?}`, with times in ISO 8601 and days as ' +
    '`2030-01-31`',
  gs1:
    '`{gtin?, batch?, serial?, expiry?, elements?, format?, domain?}`, with at least `gtin` or `elements`. ' +
    '`elements` has values by any application identifier, such as ' +
    '`{"01": "09506000134352", "3103": "000195"}`. The object becomes a GS1 Digital Link at `domain` ' +
    '(default: id.gs1.org). In a static code, `format: "element-string"` makes it an element string, whose ' +
    'symbol begins with FNC1. A string is a Digital Link, or an element string: `(01)09506000134352(10)A1`, ' +
    'or with FNC1 as `^` or U+001D. An element string of a dynamic code becomes a Digital Link. The rules of ' +
    'GS1 are enforced: lengths, characters, check digits, codes, and which elements require or exclude each ' +
    'other',
};

const dataText = [
  'The content of the code. For `url`, an absolute http or https URL. For other data types, either the ' +
    'finished payload as a string (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an ' +
    'object from which it is built:',
  '',
  ...Object.entries(dataFields).map(([dataType, fields]) => `- \`${dataType}\`: ${fields}`),
].join('\n');

const nameText = 'A human-readable label. `null` and `""` clear it.';

const expiresAtText =
  'When the code expires: ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970. ' +
  'Must be in the future. From then on, scans get 410. `null` and `""` remove it.';

const maxScansText =
  'The scan cap. Once it is reached, further scans get 410. `null` removes the cap. A new number keeps the ' +
  'count so far. Crawlers and link previews do not count.';

/** Fields that static and dynamic codes share. */
const contents = {
  data: payload.describe(dataText),
  dataType: z
    .enum(dataTypes)
    .default('url')
    .describe(
      'The type of the content. Dynamic codes of the types `url` and `gs1` redirect. The other types show ' +
        'the content on a page, with the matching action, such as saving a contact.',
    ),
  name: name.optional().describe(nameText),
  sources: sources
    .optional()
    .describe('Attribution tags. A scan of `redirectUrl?s={id}` is counted for that source.'),
};

const protection = {
  secure: secure
    .optional()
    .describe(
      'The protections of the code. Each must be sent together with its field: `password` with `password`, ' +
        '`encrypt` with `encryption`, `expire` with `expiry`.',
    ),
  password: password.optional().describe('Scanners must enter it. Stored as an argon2id hash.'),
  encryption: encryption
    .optional()
    .describe(
      'Encrypts the payload before it is stored. The scanner’s browser decrypts it. Neither the payload ' +
        'nor the passphrase is stored. An encrypted code cannot be updated, and has no routing rules, ' +
        'campaign or deep links.',
    ),
  expiry: expiry
    .optional()
    .describe(
      'When the code expires, in milliseconds since 1970. Must be in the future. From then on, scans get ' +
        '410.',
    ),
  expiresAt: expiresAt.optional().describe(`${expiresAtText} Must not be sent together with \`expiry\`.`),
  maxScans: maxScans.optional().describe(maxScansText),
};

/** Of a new code; later ones are added by a call of their own. */
const alias = {
  alias: aliasFields.alias.optional(),
  aliasDomain: aliasFields.domain.optional(),
  aliasLength: aliasFields.length.optional(),
  aliasPrefix: aliasFields.prefix.optional(),
};

/** How a workspace keeps its codes in order. Scans do not depend on it. */
const ordering = {
  tags: tags
    .optional()
    .describe(
      'The tags of the code. Tags that differ only in case are the same; a tag keeps the case in which it was first ' +
        'written. The list replaces all tags of the code. `[]` and `null` clear it.',
    ),
  folderId: folderId.optional().describe('The folder of the code. `null` takes it out of its folder.'),
  healthCheck: z
    .boolean()
    .optional()
    .describe(
      '`true`: the destination is requested once a day, by HEAD and if needed by GET. `destinationHealth` has the result; ' +
        '`qr.destination_broken` tells of two failures in a row. Only codes of the types `url` and `gs1` are checked. ' +
        'Default: `false`.',
    ),
  archived: z
    .boolean()
    .optional()
    .describe('`true`: lists leave the code out unless they are asked for it. It still redirects.'),
};

type Destination = ReturnType<typeof createDestination>;
type Payloads = ReturnType<typeof createPayloads>;

const routingFields = (destination: Destination) => ({
  routingRules: createRoutingRules(destination)
    .nullable()
    .optional()
    .describe('The first rule whose condition matches decides. `[]` and `null` clear the list.'),
  campaign: createCampaign(destination)
    .nullable()
    .optional()
    .describe(
      'While `status` is `active`, each scan that no rule matches goes to one variant, drawn by weight. ' +
        '`null` clears it.',
    ),
  deepLinkConfig: createDeepLinkConfig(destination)
    .nullable()
    .optional()
    .describe(
      'Apps to open on iOS and Android. If `url` is https (a universal link or app link), scans are ' +
        'redirected to it. If it has another scheme, scans get a page that tries it and falls back to the ' +
        'store, then to the destination. If no rule matches, the app takes the place of the destination ' +
        'there, also of a campaign’s variant, for which the scan is counted. `appId`, and `package` with ' +
        '`sha256CertFingerprints`, are listed under `/.well-known/` if the operator of the host allows it. ' +
        '`null` clears it.',
    ),
  messages: messages
    .nullable()
    .optional()
    .describe(
      'What people see in place of the code if it is switched off, has not started or has expired, or has ' +
        'reached its scan cap: a title, a text and a button. What is not given comes from the branding of the workspace. ' +
        '`null` clears it.',
    ),
  ...createRoutingExtras(destination),
  analytics: z
    .enum(codeAnalyticsModes)
    .nullable()
    .optional()
    .describe(
      '`none`: nothing about a scan is kept or reported: no event, no count, no hash of the visitor, no ' +
        '`scan.created`, no id for `scanIdParameter`. `scanCount` stays as it is. The scan cap still counts; if Redis loses its data, the ' +
        'cap begins again with the scans that were recorded before. `full`, and `null`, record scans. ' +
        'Default: `full`.',
    ),
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
  z
    .strictObject({
      ...contents,
      ...newOwnFields,
      ...ordering,
      ...protection,
      ...routing,
      ...alias,
      ...styleFields,
    })
    .superRefine((body, context) => {
      if (typeof body !== 'object' || body === null) return;
      checkContents(body, context);
      for (const [field, message] of [...protectionRefusals(body), ...routingRefusals(body)])
        context.addIssue({ code: 'custom', path: [field], message });
      checkAliasFields(context, body, { length: 'aliasLength', prefix: 'aliasPrefix' });
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
      .describe('Must not be given: brand kits need an API key.'),
  });

/** A static or a dynamic code, depending on `type`. */
const generateBody = (body: ReturnType<typeof dynamicBody>) =>
  body
    .safeExtend({
      type: z
        .enum(['static', 'dynamic'])
        .default('static')
        .describe(
          '`static`: the code is rendered and not stored. `dynamic`: the code is stored, and the answer is ' +
            'that of `POST /api/qr/codes`.',
        ),
    })
    .superRefine((given, context) => {
      if (typeof given !== 'object' || given === null || given.type === 'dynamic') return;
      for (const field of dynamicOnly) checkField(context, field, notStatic, given[field]);
    }, always);

/** Points callers who send a redirect URL to get its picture to the row that draws it. */
const idInstead = '; the row {"uid": …, "id": …} draws the picture of a dynamic code';

/** In the rows of bulk calls. */
const rowFields = { image: rowLogo.optional().describe(rowLogoText) };

/** A missing field stays unchanged. */
const updateFields = (routing: ReturnType<typeof routingFields>) => ({
  destination: payload
    .optional()
    .describe(
      'Where scans go from now on. Accepts the same values as `data` when a code of this data type ' +
        'is created.',
    ),
  name: name.optional().describe(nameText),
  status: z
    .enum(codeStatuses)
    .optional()
    .describe(
      '`inactive` switches the code off: scans get a page that says so. `active` switches it on again.',
    ),
  password: password.nullable().optional().describe('Sets or replaces the password. `null` removes it.'),
  expiresAt: expiresAt.optional().describe(expiresAtText),
  maxScans: maxScans.optional().describe(maxScansText),
  ...updatedOwnFields,
  ...ordering,
  ...routing,
  ...styleUpdateFields,
});

/** The error of a body with a field that no update has. */
export const updateError = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys' ? fieldsOfUpdate(issue) : undefined;

const updateBody = (routing: ReturnType<typeof routingFields>) =>
  z.strictObject(updateFields(routing), { error: updateError }).superRefine((body, context) => {
    if (typeof body === 'object' && body !== null) checkStyle(body, context);
  }, always);

/** The fields of an update, for bodies that have them, too. */
export const createUpdateFields = (qrHost: string) => updateFields(routingFields(createDestination(qrHost)));

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
    /** Creates a code, or updates the one with its externalId: what is not sent stays. */
    upsert: create.safeExtend({
      externalId: externalId.describe(newOwnFields.externalId.description ?? ''),
    }),
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
export type UpsertCodeBody = z.output<ReturnType<typeof createCodeBodies>['upsert']>;
export type StaticCodeBody = z.output<ReturnType<typeof createCodeBodies>['staticCode']>;
export type UpdateCodeBody = z.output<ReturnType<typeof createCodeBodies>['update']>;
