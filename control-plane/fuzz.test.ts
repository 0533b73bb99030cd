/**
 * Every operation is sent input that its schema allows, input that it forbids, and arbitrary input. In every case the
 * response is a documented one (this test's client checks that), and never a failure of ours.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createdWebhookObject } from '#schemas/api/webhooks.ts';
import { startModelStandIn } from './features/ai/testing/answers.ts';
import {
  type Answer,
  kitBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from './testing/control-plane.ts';
import { isOfRedirector, withoutReferences } from './testing/documented-operations.ts';
import { encodeForm } from './testing/form.ts';
import { startRedirectorStandIn } from './testing/redirector-stand-in.ts';

/** For all operations together; each gets its share. */
const budgetMs = 5_000;
const runsMax = 300;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  $ref?: string;
}

const schemaShape = z.custom<Schema>();
const documentShape = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        parameters: z
          .array(z.looseObject({ in: z.string(), name: z.string(), schema: schemaShape }))
          .optional(),
        requestBody: z
          .looseObject({
            content: z.record(
              z.string(),
              z.looseObject({
                schema: schemaShape,
                examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
              }),
            ),
          })
          .optional(),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), schemaShape) }),
});

type Document = z.infer<typeof documentShape>;
type Operation = Document['paths'][string][string];

let plane: TestControlPlane;
let own: Workspace;
let document: Document;

beforeAll(async () => {
  plane = await startTestControlPlane({
    environment: { REDIRECTOR_URL: await startRedirectorStandIn(), ...(await startModelStandIn()) },
  });
  own = await plane.workspace({ plan: 'enterprise' });
  // Few items are left to be minted: the items themselves are not the subject.
  await plane.pool.query(
    'INSERT INTO serialized_quotas (subscription_id, minted) VALUES ($1, 1000000 - 2000)',
    [own.subscriptionId],
  );
  document = documentShape.parse(
    withoutReferences((await plane.callWith(undefined)('GET', '/openapi.json')).body),
  );
});

/** Texts that have caused trouble somewhere. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    '',
    ' ',
    '#ff8800',
    '#12',
    '\u0000',
    '\ud800',
    '__proto__',
    "'; DROP TABLE codes; --",
    '🙂'.repeat(99),
  ),
  fc.constantFrom(
    'https://example.com/',
    'javascript:alert(1)',
    'DE',
    '2030-01-01T00:00:00Z',
    'data:image/png;base64,AA==',
  ),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, 8.64e15, 8.64e15 + 1),
);
const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;

/** Mostly of the schema's shape; each part of it may also be arbitrary. */
const valuesOf = (schema: Schema, depth = 0): fc.Arbitrary<unknown> =>
  depth > 6
    ? anything
    : fc.oneof({ arbitrary: shaped(schema, depth), weight: 40 }, { arbitrary: anything, weight: 1 });

const shaped = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
  if (schema.$ref)
    return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1)!] ?? {}, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, depth + 1)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectOf(schema, depth);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, depth + 1), { maxLength: 8 });
    case 'string':
      return texts;
    case 'integer':
    case 'number': {
      const { minimum = -1e6, maximum = Math.max(1e6, minimum * 1000) } = schema;
      // Instants begin beyond 2^31.
      const max = Math.min(maximum, Math.max(2 ** 31, minimum * 1000));
      return fc.oneof(fc.integer({ min: Math.ceil(minimum), max: Math.floor(max) }), numbers);
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anything;
  }
};

const objectOf = (
  { properties = {}, additionalProperties }: Schema,
  depth: number,
): fc.Arbitrary<unknown> => {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valuesOf(part, depth + 1)])),
    { requiredKeys: [] },
  );
  if (typeof additionalProperties !== 'object') return known;
  return fc.dictionary(fc.string({ maxLength: 20 }), valuesOf(additionalProperties, depth + 1), {
    maxKeys: 4,
  });
};

/** Whether the body is JSON or a form. */
const contentOf = ({ requestBody }: Operation) =>
  Object.entries(requestBody?.content ?? {}).find(([type]) => /json|multipart/.test(type));
const takesForm = (operation: Operation): boolean => contentOf(operation)?.[0] === 'multipart/form-data';

const examplesOf = (operation: Operation): unknown[] =>
  Object.values(contentOf(operation)?.[1].examples ?? {}).map(({ value }) => value);

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

/** An object of generated fields as a form; anything else unchanged. */
const formOf = async (body: unknown) => {
  if (typeof body !== 'object' || body === null) return { body: body as unknown, headers: {} };
  const { file, ...fields } = body as Record<string, unknown>;
  const texts = Object.entries(fields).map(([name, value]) => [name.toWellFormed(), textOf(value ?? '')]);
  return encodeForm(Object.fromEntries(texts), file === undefined ? undefined : textOf(file));
};

/** An example in which some fields, and some additional ones, are generated. */
const bodyOf = (operation: Operation): fc.Arbitrary<unknown> => {
  const json = contentOf(operation)?.[1];
  if (!json) return fc.constant(undefined);
  const examples = examplesOf(operation);
  const generated = valuesOf(json.schema);
  const mended = fc
    .tuple(fc.constantFrom(...examples), generated, fc.nat())
    .map(([example, replacement, pick]) => mend(example, replacement, pick));
  return fc.oneof(
    generated,
    ...(examples.length > 0 ? [mended, mended] : []),
    texts.map((text) => text.slice(0, 50)),
  );
};

const mend = (example: unknown, replacement: unknown, pick: number): unknown => {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(example) || !isObject(replacement)) return replacement;
  const fields = Object.entries(replacement as object);
  const [name, value] = fields[pick % Math.max(1, fields.length)] ?? ['name', null];
  return { ...(example as object), [name]: value };
};

const queryOf = ({ parameters = [] }: Operation): fc.Arbitrary<string> => {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const one = (schema: Schema) =>
    valuesOf(schema).map((value) => String(typeof value === 'object' ? JSON.stringify(value) : value));
  return fc
    .record(Object.fromEntries(known.map(({ name, schema }) => [name, one(schema)])), { requiredKeys: [] })
    .map((query) => new URLSearchParams(query as Record<string, string>).toString());
};

const mostly = (usual: string, ...others: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 15 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );

const headers = fc.record(
  {
    'waymark-idempotency-key': fc
      .string({ minLength: 0, maxLength: 220 })
      .map((text) => text.replaceAll(/[^!-~]/g, 'x')),
    'idempotency-key': fc.constantFrom('one', 'x'.repeat(200), 'x'.repeat(201)),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"y"', ',,'),
    'content-type': mostly('application/json', 'text/plain', 'application/json; charset=latin1', ''),
    'request-id': fc.string({ maxLength: 70 }).map((text) => text.replaceAll(/[^!-~]/g, 'x')),
    accept: fc.constantFrom('*/*', 'text/html', 'image/webp'),
  },
  { requiredKeys: [] },
);

/** @returns the id of a resource of each kind, by its name in a path; of a code for every other name */
const ownResources = async (): Promise<(name: string) => string> => {
  const { id } = await own.createCode();
  const made = [
    { body: { id } },
    await own.call('POST', '/api/qr/brand-kits', kitBody),
    await own.call('POST', '/api/qr/landing-pages', { name: 'x' }),
    await own.call('POST', '/api/qr/forms', { name: 'x' }),
    await own.call('POST', '/api/qr/menus', { name: 'x' }),
    await own.call('POST', '/api/qr/serialized-batches', { batchName: 'x', count: 2 }),
  ];
  const webhook = await own.call('POST', '/api/webhooks', {
    url: 'https://example.com/hooks',
    events: ['qr.created'],
    status: 'paused',
  });
  const { id: webhookId } = createdWebhookObject.parse(webhook.body);
  const ids: Record<string, string> = Object.assign({ webhookId }, ...made.map(({ body }) => body));
  return (name) => ids[name] ?? id;
};

test('every operation answers any input as documented, and never with a 5xx', async () => {
  const idOf = await ownResources();
  const pathValues = fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 6 },
    { arbitrary: texts.map((text) => encodeURIComponent(text.toWellFormed()) || 'x'), weight: 1 },
  );
  const all = Object.entries(document.paths)
    .filter(([template]) => !isOfRedirector(template))
    .flatMap(([template, item]) =>
      Object.entries(item).map(([verb, operation]) => ({ template, verb, operation })),
    );
  // An operation with a body has more to go wrong.
  const shareOf = ({ requestBody }: Operation) => (requestBody ? 4 : 1);
  const shares = all.reduce((sum, { operation }) => sum + shareOf(operation), 0);
  const statuses = new Map<number, number>();
  for (const { template, verb, operation } of all) {
    const send = async (
      part: string | undefined,
      query: string,
      sent: Record<string, string>,
      body: unknown,
    ) => {
      const path =
        template.replaceAll(/\{(\w+)\}/g, (_, name) => part ?? idOf(name)) + (query && `?${query}`);
      const form = takesForm(operation) ? await formOf(body) : { body, headers: {} };
      const answer: Answer = await own.call(verb.toUpperCase(), path, form.body, {
        ...sent,
        ...form.headers,
      });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status, `${operation.operationId} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    };
    const examples = examplesOf(operation).map(
      (body) => [undefined, '', {}, body] as [undefined, string, Record<string, string>, unknown],
    );
    const property = fc.asyncProperty(pathValues, queryOf(operation), headers, bodyOf(operation), send);
    // This many even on a busy machine.
    await fc.assert(property, { examples, numRuns: examples.length + 1, endOnFailure: true });
    const more = await fc.check(property, {
      numRuns: runsMax,
      interruptAfterTimeLimit: (budgetMs * shareOf(operation)) / shares,
      endOnFailure: true,
    });
    expect(more.counterexample, fc.defaultReportMessage(more)).toBe(null);
  }
  // The generated requests are neither all valid nor all invalid.
  for (const status of [200, 201, 400, 404, 422])
    expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
}, 600_000);
