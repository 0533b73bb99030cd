/** The OpenAPI 3.1 document, generated from the operations' declarations. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { boundedText } from '#schemas/api/text.ts';
import { errorStatus, faultCodes } from '#shared/errors.ts';
import { permissionOf } from '../access/permissions.ts';
import { capabilities } from '../access/plans.ts';
import {
  type KeyedOperation,
  type Operation,
  type OperationDocs,
  type ResponseDocs,
  scanTag,
} from '../http/operation.ts';
import { idempotencyKeyLengthMax } from '../idempotency/idempotent-calls.ts';
import { idempotency } from '../idempotency/request.ts';
import { nameBodies, shareParts } from './components.ts';
import { gettingStarted } from './getting-started.ts';
import { limitSentence } from './limit-docs.ts';
import { scanPaths } from './redirector-docs.ts';
import {
  bodySizeOf,
  hasErrorPage,
  quotasOf,
  refusalsOf,
  creates as takesIdempotencyKey,
} from './refusal-docs.ts';
import { refusalExample } from './refusal-examples.ts';
import { tagDescriptions } from './tags.ts';
import { webhookPaths } from './webhook-docs.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

const fault = z
  .object({
    param: z.string().nullable().meta({
      description: 'The path of the field or parameter. Null for the body as a whole.',
    }),
    code: z.string().meta({
      description: `What is wrong, for programs: ${faultCodes.map((code) => `\`${code}\``).join(', ')}. New codes may be added; treat an unknown one as \`value\`.`,
    }),
    message: z.string().meta({ description: 'What is wrong, in words.' }),
  })
  .meta({ id: 'Fault', description: 'One thing that is wrong with a request.' });

/** The body of every response that is not 2xx. */
export const errorSchema = z
  .object({
    error: z.string().min(1).meta({ description: 'The reason. Names the field, if there is one.' }),
    code: z.string().optional().meta({ description: 'The reason, for programs. New codes may be added.' }),
    param: z
      .string()
      .optional()
      .meta({
        description:
          'The path of the field or parameter at fault, such as `routingRules[2].condition.country`, or the name of a ' +
          'header. With several faults, the first. Absent if the error is of no single field.',
      }),
    errors: z
      .array(fault)
      .optional()
      .meta({
        description:
          'All faults of the body or of the query, at most 50. The first is the one in `error`. Absent if the error ' +
          'is of no field.',
      }),
    details: z
      .array(z.string())
      .optional()
      .meta({ description: 'The messages of `errors` after the first, at most 19.' }),
    docUrl: z.string().optional().meta({
      description: 'The URL of the explanation of `code`. Absent in errors of scans.',
    }),
    requestId: z
      .string()
      .optional()
      .meta({
        description:
          'The id of this request in our logs, as in the header `request-id`. Quote it if you ask about the call. Absent ' +
          'in errors of scans.',
      }),
    capability: z
      .string()
      .optional()
      .meta({ description: 'The feature that the plan does not include, or whose limit is reached.' }),
    permission: z.string().optional().meta({ description: 'The permission that the API key lacks.' }),
    plans: z.array(z.string()).optional().meta({ description: 'The plans that include the feature.' }),
    limit: z.int().optional().meta({ description: 'The limit.' }),
    used: z.int().optional().meta({ description: 'How much of the limit is used.' }),
    requested: z.int().optional().meta({ description: 'How much the call needs, if more than 1.' }),
    id: z
      .string()
      .optional()
      .meta({ description: 'With `EXTERNAL_ID_TAKEN`, the id of the code that has the `externalId`.' }),
    fits: z.int().optional().meta({ description: 'How much is left for the call.' }),
    total: z
      .int()
      .optional()
      .meta({ description: 'With a refused `expectedCount`, the number of codes that match.' }),
  })
  .meta({ id: 'Error', description: 'The body of every response that is not 2xx.' });

const header = (description: string) => ({ description, schema: { type: 'string' as const } });

const everyAnswer = {
  'request-id': header(
    'The id of this request in our logs: the `request-id` that you sent, if it has 8 to 64 letters, digits, ' +
      '`.`, `_` or `-`; otherwise a new one',
  ),
};
const limitedAnswer = {
  RateLimit: header(
    '`limit=30, remaining=29, reset=1`: the requests that are left, and the seconds until the window ends',
  ),
  'RateLimit-Policy': header('`30;w=1`: the requests allowed, and the length of the window in seconds'),
};

const deprecatedAnswer = {
  Deprecation: header('`@` and the Unix time from which the operation is deprecated (RFC 9745)'),
  Sunset: header('The date from which the operation may be gone (RFC 8594)'),
  Link: header('With `rel="deprecation"`: the page that says what to use instead'),
};

/** @param baseUrl where clients reach the API */
export const describeApi = (
  operations: readonly Operation[],
  { baseUrl, qrHost }: { baseUrl: string; qrHost: string },
): OpenApiDocument => {
  nameBodies(operations);
  const document = createDocument(documentOf(operations, { baseUrl, qrHost }), { override: sayAsEnforced });
  return shareParts(document as OpenApiDocument);
};

/** Of the package: an API that could change without notice must not look like a released one. */
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

const documentOf = (
  operations: readonly Operation[],
  { baseUrl, qrHost }: { baseUrl: string; qrHost: string },
): ZodOpenApiObject => ({
  openapi: '3.1.0',
  info: {
    title: 'Waymark',
    version,
    description: gettingStarted(baseUrl, qrHost),
    contact: { name: 'The reference', url: `${baseUrl}/docs` },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: baseUrl }],
  security: [{ apiKey: [] }],
  tags: tagsOf(operations),
  paths: { ...pathsOf(operations, { baseUrl, qrHost }), ...scanPaths(qrHost, errorSchema) },
  webhooks: webhookPaths(),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `wm_…`. It gives access to one workspace.',
      },
    },
  },
});

/**
 * Adds facts that the generator omits if a schema reads its input before checking it (a bounded list, a number in a
 * query): a field is required if its own schema rejects its absence, and a default is stated if it could be sent.
 */
const sayAsEnforced: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  sayUnit(jsonSchema);
  if (io === 'output') return sayWhatMayChange(jsonSchema);
  if (zodSchema instanceof z.ZodDefault) {
    const { defaultValue } = zodSchema.def;
    if (zodSchema.safeParse(defaultValue).success) jsonSchema.default = defaultValue;
  }
  if (zodSchema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(zodSchema.shape);
    const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
    if (required.length > 0) jsonSchema.required = required.map(([name]) => name);
  }
};

type JsonSchema = Parameters<ZodOpenApiOverride>[0]['jsonSchema'];

/** Answers may get values that a client does not know yet; `enum` alone would exclude them. */
const sayWhatMayChange = (schema: JsonSchema): void => {
  if (Array.isArray(schema.enum) && schema.enum.length > 1) schema['x-extensible-enum'] = schema.enum;
};

/** Instants in milliseconds have a format of their own, as those in ISO 8601 have `date-time`. */
const sayUnit = (schema: JsonSchema): void => {
  if (!schema.description?.includes('milliseconds since 1970')) return;
  for (const each of [schema, ...(schema.anyOf ?? [])])
    if (typeof each === 'object' && each.type === 'integer') each.format = 'unix-time-ms';
};

/** `/api/qr/codes/:id` in OpenAPI's notation: `/api/qr/codes/{id}` */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** Tags on another origin come last. Webhooks get no group: pages would show it without operations. */
const tagsOf = (operations: readonly Operation[]): { name: string; description?: string }[] => {
  const names = new Set(operations.map(({ docs }) => docs.tag));
  names.delete(scanTag);
  return [...names, scanTag].map((name) => {
    const description = tagDescriptions[name];
    return { name, ...(description !== undefined && { description }) };
  });
};

interface Origins {
  baseUrl: string;
  qrHost: string;
}

const pathsOf = (operations: readonly Operation[], origins: Origins): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const template = templateOf(operation.path);
    paths[template] = { ...paths[template], [operation.method]: describe(operation, origins) };
  }
  return paths;
};

const describe = (operation: Operation, { baseUrl, qrHost }: Origins): ZodOpenApiOperationObject => {
  const { docs, query, body } = operation;
  return {
    operationId: docs.id,
    tags: [docs.tag],
    ...(docs.tag === scanTag && { servers: [{ url: qrHost }] }),
    summary: docs.summary,
    ...(operation.deprecated && { deprecated: true }),
    description: [docs.description, ...requirementsOf(operation)].join('\n\n'),
    ...(operation.access === 'public' && { security: [] }),
    requestParams: {
      path: paramsOf(operation),
      ...(query && { query: query as z.ZodObject }),
      ...(docs.headers && { header: docs.headers }),
      ...(operation.access !== 'public' &&
        operation.creates &&
        takesIdempotencyKey(operation) && { header: idempotencyHeaderOf(operation.creates) }),
    },
    ...(body && {
      requestBody: {
        required: !operation.bodyMayBeMissing,
        description: `At most ${bodySizeOf(operation)}.${operation.bodyMayBeMissing ? ' If omitted, `{}` is assumed.' : ''}`,
        content: Object.fromEntries(
          [bodyTypeOf(operation), ...(docs.requestTypes ?? [])].map((type) => [
            type,
            {
              schema: docs.requestSchema ?? body,
              ...(docs.requestExamples && { examples: docs.requestExamples }),
            },
          ]),
        ),
      },
    }),
    responses: responsesOf(operation, baseUrl),
  };
};

const bodyTypeOf = ({ multipart, form }: Operation): string => {
  if (multipart) return 'multipart/form-data';
  return form ? 'application/x-www-form-urlencoded' : 'application/json';
};

/** Sentences implied by the declaration, in addition to its author's text. */
const requirementsOf = (operation: Operation): string[] => [
  ...deprecationOf(operation),
  ...pagingOf(operation),
  ...(operation.access === 'public' ? [] : planRequirementsOf(operation)),
  ...[limitSentence(operation)].flatMap((sentence) => (sentence ? [`${sentence}.`] : [])),
];

const deprecationOf = ({ deprecated }: Operation): string[] =>
  deprecated
    ? [
        `Deprecated since ${deprecated.since}: it may be removed from ${deprecated.sunset} on. [What to use instead](${deprecated.docs}).`,
      ]
    : [];

/** Refers to the introduction, if the operation returns a list in pages. */
const pagingOf = ({ query }: Operation): string[] => {
  if (!(query instanceof z.ZodObject) || !('cursor' in query.shape)) return [];
  const { limit } = query.parse({});
  return [
    limit === undefined
      ? 'Paginated if `limit` or `cursor` is sent: see “Pagination” in the introduction.'
      : 'Paginated: see “Pagination” in the introduction.',
  ];
};

const permissionSentence = (operation: KeyedOperation): string[] => {
  const permission = permissionOf(operation);
  return permission === undefined || permission === 'any' ? [] : [`Permission: \`${permission}\`.`];
};

const planRequirementsOf = (operation: KeyedOperation): string[] => {
  const { access, capability, creates } = operation;
  return [
    ...permissionSentence(operation),
    ...(access === 'admin' ? ['Requires a key with the role owner or admin.'] : []),
    ...(capability
      ? [`Requires the plan ${capabilities[capability]} or a larger one (\`${capability}\`).`]
      : []),
    ...(creates?.quota ? [`Counts against the plan’s quota \`${creates.quota}\`.`] : []),
  ];
};

/** `24 hours`, `366 days` */
const timeText = (hours: number): string => (hours <= 24 ? `${hours} hours` : `${hours / 24} days`);

const idempotencyHeaderOf = ({
  idempotencyHeader: name = 'Waymark-Idempotency-Key',
}: NonNullable<KeyedOperation['creates']>) =>
  z.object({
    [name]: boundedText(idempotencyKeyLengthMax)
      .min(1)
      .optional()
      .meta({
        description:
          'A unique string of your choice. Within ' +
          `${timeText(idempotency[name].validHours)}, a request with the same key and body returns the first response, with ` +
          `\`Idempotency-Replayed: true\`. The same key with another body is refused with ${errorStatus[idempotency[name].reused]}. ` +
          'See “Idempotency” in the introduction.',
        example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      }),
  });

/** Longer than most ids: a longer part names nothing. */
const pathPartLengthMax = 64;

const paramsOf = ({ path, docs }: Operation): z.ZodObject => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return z.object(
    Object.fromEntries(
      names.map((name) => {
        const described = docs.params?.[name];
        if (!described) throw new Error(`${docs.id} does not describe ${name}`);
        const { lengthMax = pathPartLengthMax, ...meta } = described;
        return [name, boundedText(lengthMax).meta(meta)];
      }),
    ),
  );
};

const responsesOf = (operation: Operation, baseUrl: string): ZodOpenApiResponsesObject => {
  const limited = operation.access !== 'public' || limitSentence(operation) !== undefined;
  const always = { ...everyAnswer, ...(operation.deprecated && deprecatedAnswer) };
  const headers = { ...always, ...(limited && limitedAnswer) };
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, response] of Object.entries(successesOf(operation))) {
    responses[`${Number(status)}` as '200'] = success(response, {
      ...headers,
      ...(takesIdempotencyKey(operation) && {
        'idempotency-replayed': header('`true` if this is a repeated response'),
      }),
    });
  }
  for (const [status, text] of refusalsOf(operation)) {
    // If a refusal is unusual, the operation itself describes it.
    if (status in operation.docs.responses) continue;
    const limitedBefore = status !== 401 || limitSentence(operation) !== undefined;
    const refused = limitedBefore ? headers : always;
    responses[`${status}` as '400'] = refusal(operation, status, text, {
      headers: refused,
      example: refusalExample(operation, status, baseUrl),
    });
  }
  return responses;
};

/** A dry run of a creation is 200, with the body of the success. */
const successesOf = (operation: Operation): OperationDocs['responses'] => {
  const { responses } = operation.docs;
  const { 201: created } = responses;
  if (operation.access === 'public' || !operation.dryRun || !created) return responses;
  const { description, schema, example } = {
    ...created,
    description: 'What would be created, with `dryRun=true`',
    example: { ...(created.example as object), dryRun: true },
  };
  return { 200: { description, ...(schema && { schema }), example }, ...responses };
};

const success = (
  { description, schema, example, contentTypes = [], headers = {} }: ResponseDocs,
  common: Record<string, ReturnType<typeof header>>,
) => ({
  description,
  headers: {
    ...common,
    ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, header(text)])),
  },
  ...((schema || contentTypes.length > 0) && {
    content: {
      ...(schema && { 'application/json': { schema, ...(example !== undefined && { example }) } }),
      ...Object.fromEntries(contentTypes.map((type) => [type, {}])),
    },
  }),
});

const refusal = (
  operation: Operation,
  status: number,
  description: string,
  { headers, example }: { headers: Record<string, ReturnType<typeof header>>; example: object | undefined },
) => {
  return {
    description,
    headers: {
      ...headers,
      ...((status === 429 || status === 503) && {
        'Retry-After': header('The seconds after which a retry may succeed'),
      }),
      ...(status === 401 && { 'WWW-Authenticate': header('The required authentication') }),
      ...(status === 429 &&
        operation.access !== 'public' && {
          'X-Service-Error-Code': header(
            `\`PLAN_LIMIT_REACHED\` if the limit is a quota: ${quotasOf(operation).join(', ')}`,
          ),
        }),
    },
    content: {
      ...(hasErrorPage(operation) && { 'text/html': {} }),
      'application/json': {
        schema: operation.docs.refusalSchemas?.[status] ?? errorSchema,
        ...(example && { example }),
      },
    },
  };
};

export type { OperationDocs };
