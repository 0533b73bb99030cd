/** The OpenAPI 3.1 document, generated from the operations' declarations. */
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
import { errorStatus } from '#shared/errors.ts';
import { capabilities } from '../access/plans.ts';
import {
  type KeyedOperation,
  type Operation,
  type OperationDocs,
  type ResponseDocs,
  scanTag,
} from '../http/operation.ts';
import { idempotencyKeyLengthMax } from '../idempotency/creations.ts';
import { idempotency } from '../idempotency/request.ts';
import { gettingStarted } from './getting-started.ts';
import { limitSentence } from './limit-docs.ts';
import { scanPaths, scanTagDescription } from './redirector-docs.ts';
import { bodySizeOf, hasErrorPage, quotasOf, refusalsOf } from './refusal-docs.ts';
import { refusalExample } from './refusal-examples.ts';
import { webhookPaths } from './webhook-docs.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

/** The body of every response that is not 2xx. */
export const errorSchema = z
  .object({
    error: z.string().min(1).meta({ description: 'What went wrong, naming the field where there is one' }),
    code: z.string().optional().meta({ description: 'For programs; further codes may come' }),
    details: z.array(z.string()).optional().meta({ description: 'What else is wrong with the request' }),
    requestId: z.string().optional().meta({ description: 'To be quoted to the operator; with 500 only' }),
    capability: z
      .string()
      .optional()
      .meta({ description: 'What the plan does not have, or what there can be no more of' }),
    plans: z.array(z.string()).optional().meta({ description: 'Plans that have the capability' }),
    limit: z.int().optional().meta({ description: 'How much of it there can be' }),
    used: z.int().optional().meta({ description: 'How much of it is used' }),
    requested: z
      .int()
      .optional()
      .meta({ description: 'How much of it the call needs, where that is more than 1' }),
    fits: z.int().optional().meta({ description: 'How much of it the call could have' }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not 2xx' });

const header = (description: string) => ({ description, schema: { type: 'string' as const } });

const everyAnswer = { 'request-id': header('Names this exchange in our logs; your own is taken over') };
const limitedAnswer = {
  RateLimit: header('`limit=30, remaining=29, reset=1`: what is left of the window, and seconds to its end'),
  'RateLimit-Policy': header('`30;w=1`: requests, and the seconds of the window'),
};

/** @param baseUrl where clients reach the API */
export const describeApi = (
  operations: readonly Operation[],
  { baseUrl, qrHost }: { baseUrl: string; qrHost: string },
): OpenApiDocument =>
  createDocument(documentOf(operations, { baseUrl, qrHost }), {
    override: sayAsEnforced,
  }) as OpenApiDocument;

const documentOf = (
  operations: readonly Operation[],
  { baseUrl, qrHost }: { baseUrl: string; qrHost: string },
): ZodOpenApiObject => ({
  openapi: '3.1.0',
  info: {
    title: 'Waymark',
    version: '1.0.0',
    description: gettingStarted(baseUrl, qrHost),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: baseUrl }],
  security: [{ apiKey: [] }],
  tags: tagsOf(operations),
  paths: { ...pathsOf(operations, qrHost), ...scanPaths(qrHost, errorSchema) },
  webhooks: webhookPaths(),
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `wm_…`: it opens one workspace' },
    },
  },
});

/**
 * Adds facts that the generator omits if a schema reads its input before checking it (a bounded list, a number in a
 * query): a field is required if its own schema rejects its absence, and a default is stated if it could be sent.
 */
const sayAsEnforced: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (io !== 'input') return;
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

/** `/api/qr/codes/:id` in OpenAPI's notation: `/api/qr/codes/{id}` */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** Tags on another origin come last. Webhooks get no group: pages would show it without operations. */
const tagsOf = (operations: readonly Operation[]): { name: string; description?: string }[] => {
  const names = new Set(operations.map(({ docs }) => docs.tag));
  names.delete(scanTag);
  return [...[...names].map((name) => ({ name })), { name: scanTag, description: scanTagDescription }];
};

const pathsOf = (operations: readonly Operation[], qrHost: string): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const template = templateOf(operation.path);
    paths[template] = { ...paths[template], [operation.method]: describe(operation, qrHost) };
  }
  return paths;
};

const describe = (operation: Operation, qrHost: string): ZodOpenApiOperationObject => {
  const { docs, query, body } = operation;
  return {
    operationId: docs.id,
    tags: [docs.tag],
    ...(docs.tag === scanTag && { servers: [{ url: qrHost }] }),
    summary: docs.summary,
    description: [docs.description, ...requirementsOf(operation)].join('\n\n'),
    ...(operation.access === 'public' && { security: [] }),
    requestParams: {
      path: paramsOf(operation),
      ...(query && { query: query as z.ZodObject }),
      ...(docs.headers && { header: docs.headers }),
      ...(operation.access !== 'public' &&
        operation.creates && { header: idempotencyHeaderOf(operation.creates) }),
    },
    ...(body && {
      requestBody: {
        required: !operation.bodyMayBeMissing,
        description: `At most ${bodySizeOf(operation)}.${operation.bodyMayBeMissing ? ' Without one, it is `{}`.' : ''}`,
        content: {
          [bodyTypeOf(operation)]: {
            schema: docs.requestSchema ?? body,
            ...(docs.requestExamples && { examples: docs.requestExamples }),
          },
        },
      },
    }),
    responses: responsesOf(operation),
  };
};

const bodyTypeOf = ({ multipart, form }: Operation): string => {
  if (multipart) return 'multipart/form-data';
  return form ? 'application/x-www-form-urlencoded' : 'application/json';
};

const isCreating = (operation: Operation): boolean =>
  operation.access !== 'public' && operation.creates !== undefined;

/** Sentences implied by the declaration, in addition to its author's text. */
const requirementsOf = (operation: Operation): string[] => [
  ...pagingOf(operation),
  ...(operation.access === 'public' ? [] : planRequirementsOf(operation)),
  ...[limitSentence(operation)].flatMap((sentence) => (sentence ? [`${sentence}.`] : [])),
];

/** How to get the next page of a list, if the operation has pages. */
const pagingOf = ({ query }: Operation): string[] => {
  if (!(query instanceof z.ZodObject) || !('cursor' in query.shape)) return [];
  const { limit } = query.parse({});
  return [
    limit === undefined
      ? 'Comes a page at a time where `limit` or `cursor` is sent, and whole where neither is: `nextCursor` is sent back as `cursor`, until it is null.'
      : `Comes a page at a time, of ${limit} entries where \`limit\` is not sent: \`nextCursor\` is sent back as \`cursor\`, until it is null.`,
  ];
};

const planRequirementsOf = ({ access, capability, creates }: KeyedOperation): string[] => {
  return [
    ...(access === 'admin' ? ['Needs a key with the role owner or admin.'] : []),
    ...(capability
      ? [`Needs the plan ${capabilities[capability]} or a larger one (\`${capability}\`).`]
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
          (name === 'Idempotency-Key' ? '' : 'An extension; the plain `Idempotency-Key` is ignored here. ') +
          'Any string of your own. Sent again with the same key and body within ' +
          `${timeText(idempotency[name].validHours)}, the request is done once and its answer repeated, with ` +
          `\`Idempotency-Replayed: true\`; with another body it is ${errorStatus[idempotency[name].reused]}. Without the header every successful call creates a ` +
          'new resource.',
        example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      }),
  });

/** Longer than any id: a longer part names nothing. */
const pathPartLengthMax = 64;

const paramsOf = ({ path, docs }: Operation): z.ZodObject => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return z.object(
    Object.fromEntries(
      names.map((name) => {
        const described = docs.params?.[name];
        if (!described) throw new Error(`${docs.id} does not describe ${name}`);
        return [name, boundedText(pathPartLengthMax).meta(described)];
      }),
    ),
  );
};

const responsesOf = (operation: Operation): ZodOpenApiResponsesObject => {
  const limited = operation.access !== 'public' || limitSentence(operation) !== undefined;
  const headers = { ...everyAnswer, ...(limited && limitedAnswer) };
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, response] of Object.entries(operation.docs.responses)) {
    responses[`${Number(status)}` as '200'] = success(response, {
      ...headers,
      ...(isCreating(operation) && {
        'idempotency-replayed': header('`true` where the answer is a repeated one'),
      }),
    });
  }
  for (const [status, text] of refusalsOf(operation)) {
    // If a refusal is unusual, the operation itself describes it.
    if (status in operation.docs.responses) continue;
    const limitedBefore = status !== 401 || limitSentence(operation) !== undefined;
    const refused = limitedBefore ? headers : everyAnswer;
    responses[`${status}` as '400'] = refusal(operation, status, text, refused);
  }
  return responses;
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
  headers: Record<string, ReturnType<typeof header>>,
) => {
  const example = refusalExample(operation, status);
  return {
    description,
    headers: {
      ...headers,
      ...((status === 429 || status === 503) && {
        'Retry-After': header('Seconds, where a later try may succeed'),
      }),
      ...(status === 401 && { 'WWW-Authenticate': header('What is missing') }),
      ...(status === 429 &&
        operation.access !== 'public' && {
          'X-Service-Error-Code': header(
            `\`PLAN_LIMIT_REACHED\` where it is a quota: ${quotasOf(operation).join(', ')}`,
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
