/** The API describes itself: tests of the document, and that it is true. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bulkStatuses } from '#schemas/api/bulk.ts';
import { erasureStatuses } from '#schemas/api/erasures.ts';
import { importStatuses } from '#schemas/api/imports.ts';
import { jobStatuses } from '#schemas/api/serialized.ts';
import { gs1Limit, scanLimit, verificationLimit } from '../../../redirector/limits/address-limit-headers.ts';
import { gs1Answers } from '../../../redirector/pages/gs1.ts';
import { answers } from '../../../redirector/pages/index.ts';
import { qrHost, startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { largestOf, type Schema } from '../../testing/documented.ts';
import {
  documentedOperations,
  isOfRedirector,
  withoutReferences,
} from '../../testing/documented-operations.ts';

const media = z.looseObject({
  schema: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })).optional(),
});
const content = z.record(z.string(), media).optional();
const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()).length(1),
  servers: z.array(z.object({ url: z.string() })).optional(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        description: z.string().optional(),
        schema: z.unknown(),
      }),
    )
    .optional(),
  requestBody: z.looseObject({ content, description: z.string().optional() }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string().min(1), content })),
});
const documentShape = z.looseObject({
  info: z.looseObject({ version: z.string(), description: z.string() }),
  tags: z.array(z.looseObject({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
});

type Node = Record<string, unknown>;

/** The fields of an object response. */
const listOf = (schema: unknown): Record<string, Node> => {
  const { $ref, properties = {} } = (schema ?? {}) as { $ref?: string; properties?: Record<string, Node> };
  if ($ref === undefined) return properties;
  return listOf((json.components as { schemas: Node }).schemas[$ref.split('/').at(-1)!]);
};

const pagedLists = [
  'qr/audit-log',
  'qr/codes',
  'qr/codes/bulk/{bulkId}/rows',
  'qr/codes/{id}/aliases',
  'qr/codes/{id}/history',
  'qr/erasures',
  'qr/exports',
  'qr/folders',
  'qr/gs1/entries',
  'qr/imports',
  'qr/imports/{importId}/rows',
  'qr/keys',
  'qr/request-logs',
  'qr/scans',
  'qr/serialized-batches',
  'qr/serialized-batches/{batchId}',
  'qr/serialized-batches/{batchId}/jobs',
  'qr/serialized-batches/{batchId}/marks',
  'qr/tags',
  'webhooks/{webhookId}/deliveries',
  'webhooks/{webhookId}/replays',
];
const wholeLists = [
  'domains',
  'qr/brand-kits',
  'qr/forms',
  'qr/forms/{formId}/submissions',
  'qr/landing-pages',
  'qr/menus',
  'webhooks',
];

let plane: TestControlPlane;
let json: Record<string, unknown>;
let operations: [name: string, operation: z.infer<typeof operationShape>][];
/** Operations of this plane; the others are the redirector's. */
let own: typeof operations;

/** Every property with the name of an instant, anywhere in the document. */
const instantsIn = (node: unknown): [name: string, schema: Record<string, unknown>][] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => [
    ...(/[a-z]At$/.test(name) && typeof value === 'object' && value !== null && 'description' in value
      ? [[name, value] as [string, Record<string, unknown>]]
      : []),
    ...instantsIn(value),
  ]);
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  const answer = await plane.callWith(undefined)('GET', '/openapi.json');
  json = withoutReferences(answer.body) as Record<string, unknown>;
  operations = documentedOperations(json, operationShape).map(({ template, method, operation }) => [
    `${method.toLowerCase()} ${template}`,
    operation,
  ]);
  own = operations.filter(([name]) => !isOfRedirector(name.split(' ')[1]!));
});

test.each([
  'post /api/qr/landing-pages',
  'post /api/qr/forms',
  'post /api/qr/menus',
  'get /p/{id}',
  'get /f/{id}',
  'get /m/{id}',
])('%s refers to the introduction, which says how the language of the page is chosen', (name) => {
  const description = operations.find(([each]) => each === name)?.[1].description;
  expect(description).toContain('“Language of pages”');
  const introduction = documentShape.parse(json).info.description;
  for (const part of ['## Language of pages', 'English, German', 'or Hebrew', '`Accept-Language`'])
    expect(introduction).toContain(part);
});

test('the sections to which texts refer are in the introduction', () => {
  const sections = [...JSON.stringify(json).matchAll(/see “([^”]+)” in the introduction/gi)];
  expect(sections.length).toBeGreaterThan(20);
  const { description } = documentShape.parse(json).info;
  for (const section of new Set(sections.map(([, name]) => name)))
    expect(description).toContain(`## ${section}\n`);
});

test('instants in milliseconds say so, and the introduction names their fields', () => {
  const whole = instantsIn(json).filter(([, { type }]) => type === 'integer');
  expect(new Set(whole.map(([name]) => name))).toEqual(
    new Set(['createdAt', 'updatedAt', 'deletedAt', 'firstScannedAt', 'markedAt']),
  );
  for (const [name, { description, format }] of whole)
    expect([name, description, format]).toEqual([
      name,
      expect.stringContaining('milliseconds'),
      'unix-time-ms',
    ]);
  const { description } = documentShape.parse(json).info;
  for (const noun of ['brand kits', 'landing pages', 'forms', 'submissions', 'menus', 'GS1 entries'])
    expect(description.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(`Timestamps are ISO 8601 in UTC\\. [^.]*${noun}[^.]* milliseconds`),
    );
});

test('instants in answers are of the format date-time, except those after the year 9999, which the introduction names', () => {
  const responses = operations.map(([, { responses }]) => responses);
  const plain = instantsIn(responses).filter(
    ([, { type, format, anyOf }]) =>
      JSON.stringify([type, anyOf]).includes('string') &&
      !JSON.stringify([format, anyOf]).includes('date-time'),
  );
  expect(new Set(plain.map(([name]) => name))).toEqual(new Set(['expiresAt']));
  expect(documentShape.parse(json).info.description).toContain('`expiresAt` of a code');
});

/** The quota that each create call counts against. */
const quotasOfCalls: Record<string, string> = {
  'post /api/qr/bulk-generate': 'apiCalls, bulkOrders',
  'post /api/qr/codes': 'apiCalls, dynamicQr',
  'post /api/qr/generate': 'apiCalls, dynamicQr',
  'post /api/qr/codes/bulk': 'apiCalls, bulkOrders, dynamicQr',
  'post /api/qr/codes/bulk/upload': 'apiCalls, bulkOrders, dynamicQr',
  'post /api/qr/codes/bulk/replace': 'apiCalls, bulkOrders',
  'post /api/qr/codes/bulk/changes': 'apiCalls, bulkOrders',
  'post /api/qr/imports/{importId}/start': 'apiCalls, bulkOrders, dynamicQr',
};

/** Creates something only if it is not there: it takes no idempotency key. */
const upserts = { 'put /api/qr/codes/upsert': 'apiCalls, dynamicQr' };

describe('/openapi.json', () => {
  test('needs no key and is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(json))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(documentShape.parse(json).info.version).toBe(version);
  });

  test('every operation has its own id, a summary and a description', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('createCode');
  });

  test('every path of the API is in it: other paths answer 404 or 405', async () => {
    // All other tests check with every response that the document is true of its paths.
    const { call } = await plane.workspace();
    const verbs = ['get', 'post', 'put', 'patch', 'delete'];
    for (const path of new Set(own.map(([name]) => name.split(' ')[1]!))) {
      const documented = new Set(
        operations.filter(([name]) => name.endsWith(` ${path}`)).map(([name]) => name.split(' ')[0]!),
      );
      const allow = (await call('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'))).headers.get('allow') ?? '';
      const served = verbs.filter((verb) => allow.split(', ').includes(verb.toUpperCase()));
      expect({ path, served: served.sort() }).toEqual({ path, served: [...documented].sort() });
    }
  });

  test('an unknown query parameter is refused by name, except by a GET without a key', async () => {
    const { call } = await plane.workspace();
    for (const [name, { security }] of own) {
      // A redirector refuses it: deploy/smoke/verify-serial.test.ts.
      if (name === 'post /api/verify/serial') continue;
      const [verb = '', path = ''] = name.split(' ');
      const isPublicGet = verb === 'get' && Array.isArray(security);
      const url = `${path.replaceAll(/\{\w+\}/g, 'nX5cPq7Rk')}?surprise=1`;
      const answer = await call(verb.toUpperCase(), url, verb === 'get' ? undefined : {});
      const { error = '' } = z.object({ error: z.string().optional() }).catch({}).parse(answer.body);
      expect([name, error.startsWith('surprise is not a known parameter; ')]).toEqual([name, !isPublicGet]);
      if (isPublicGet) continue;
      // As the example of an operation without a body says.
      const fault = { param: 'surprise', code: 'unknown', message: error };
      expect([name, answer.body]).toMatchObject([
        name,
        { param: 'surprise', errors: expect.arrayContaining([fault]) },
      ]);
    }
  });

  test('every string and list of a request has a maximum length, and every body a maximum size', () => {
    const unbounded: string[] = [];
    const walk = (schema: unknown, where: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, ...rest } = schema as Record<string, unknown>;
      const types = [type].flat();
      const isListed = 'enum' in rest || 'const' in rest;
      if (types.includes('string') && !isListed && !('maxLength' in rest)) unbounded.push(where);
      if (types.includes('array') && !('maxItems' in rest)) unbounded.push(where);
      for (const [key, value] of Object.entries(rest)) if (key !== 'examples') walk(value, `${where} ${key}`);
    };
    for (const [name, { parameters = [], requestBody }] of operations) {
      for (const { name: parameter, schema } of parameters) walk(schema, `${name} ${parameter}`);
      walk(requestBody?.content?.['application/json']?.schema, name);
      if (requestBody)
        expect(requestBody.description).toMatch(/^At most \d+ [KM]B\.( If omitted, `\{\}` is assumed\.)?$/);
    }
    expect(unbounded).toEqual([]);
  });

  test('a numeric query parameter has its type, its bounds and its default', () => {
    const queries = operations.flatMap(([name, { parameters = [] }]) =>
      parameters.filter((each) => each.in === 'query').map((each) => [`${name} ${each.name}`, each.schema]),
    );
    expect(Object.fromEntries(queries)).toMatchObject({
      'get /api/qr/codes limit': { type: 'integer', minimum: 1, maximum: 100, default: 25 },
      'get /api/qr/codes/{id}/analytics days': { type: 'integer', minimum: 1, maximum: 90, default: 30 },
      'get /api/qr/codes/{id}/explain unlocked': { type: 'boolean', default: false },
      'get /api/qr/codes/{id}/image size': { type: 'integer', minimum: 64, maximum: 4096 },
      'get /api/qr/codes/{id}/download-url size': { type: 'integer', minimum: 64, maximum: 4096 },
      'get /api/qr/codes/{id}/download-url ttl': {
        type: 'integer',
        minimum: 60,
        maximum: 86_400,
        default: 3600,
      },
    });
    // No number is declared as a string of digits.
    expect(queries.filter(([, schema]) => JSON.stringify(schema).includes('\\\\d'))).toEqual([]);
  });

  test('a field whose absence is refused is listed as required', () => {
    const body = JSON.stringify(documentShape.parse(json).paths['/api/qr/codes']!.post!.requestBody);
    expect(body).toContain('"required":["status","variants"]');
  });

  test('every parameter, header and field, however deep, has a description', () => {
    const bare: string[] = [];
    const walk = (schema: unknown, where: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, value] of Object.entries(schema)) {
        // Values, not schemas.
        if (['example', 'examples', 'default', 'enum', 'const'].includes(key)) continue;
        if (key === 'properties' || key === 'headers')
          for (const [name, field] of Object.entries(value as Record<string, { description?: string }>)) {
            if (!field.description) bare.push(`${where} ${name}`);
            walk(field, `${where} ${name}`);
          }
        else walk(value, `${where} ${key}`);
      }
    };
    for (const [name, operation] of operations) {
      for (const { name: parameter, description } of operation.parameters ?? [])
        if (!description) bare.push(`${name} ${parameter}`);
      walk(operation, name);
    }
    walk(json.components, 'components');
    walk(json.webhooks, 'webhooks');
    expect(bare).toEqual([]);
  });

  test('wherever a gradient can be given, its rotation is documented in radians', () => {
    const rotations = JSON.stringify(json).match(/"rotation":\{[^}]*\}/g) ?? [];
    const schemas = rotations.filter((each) => each.includes('"type":"number"'));
    expect(schemas.length).toBeGreaterThan(10);
    expect(schemas.filter((each) => !each.includes('radians'))).toEqual([]);
  });

  test('every group has operations: pages show webhooks separately, in their own section', () => {
    const used = new Set(operations.flatMap(([, { tags }]) => tags));
    const groups = documentShape.parse(json).tags.map(({ name }) => name);
    expect(groups.sort()).toEqual([...used].sort());
  });

  test('the redirector’s interface is described, at the host of the codes', () => {
    const scans = operations.filter(([, { tags }]) => tags[0] === 'Scans');
    // Hosted pages are served by the control plane, at the same host.
    const own = scans.map(([name]) => name).filter((name) => !/ \/[fmp]\/\{id\}$/.test(name));
    expect(own.sort()).toEqual([
      'get /.well-known/apple-app-site-association',
      'get /.well-known/assetlinks.json',
      'get /.well-known/gs1resolver',
      'get /01/{gtin}',
      'get /01/{gtin}/10/{batch}',
      'get /01/{gtin}/21/{serial}',
      'get /r/{id}',
      'get /v/{itemId}/{signature}',
      'head /01/{gtin}',
      'head /01/{gtin}/10/{batch}',
      'head /01/{gtin}/21/{serial}',
      'head /r/{id}',
      'head /v/{itemId}/{signature}',
      'post /r/{id}',
    ]);
    for (const [, { servers, security }] of scans)
      expect({ servers, security }).toEqual({ servers: [{ url: qrHost }], security: [] });
    const statusesOf = (verb: string) =>
      Object.keys(scans.find(([name]) => name === `${verb} /r/{id}`)![1].responses);
    // Every response of the redirector for a code, and its redirects and pages; requests that are not HTTP are not
    // scans.
    const notHttp = ['badTarget', 'ambiguousLength', 'smallChunks', 'badMethod', 'unknownMethod', 'badHost'];
    const ofCodes = Object.entries(answers).filter(([name]) => !notHttp.includes(name));
    const given = ofCodes.map(([, { json }]) => json.status.slice(0, 3));
    expect(statusesOf('post')).toEqual([...new Set(['200', '303', '401', ...given])].sort());
    const scanned = [...new Set(['200', '302', '401', ...given])].filter((status) => status !== '405').sort();
    expect(statusesOf('get')).toEqual(scanned);
    expect(statusesOf('head')).toEqual(scanned);
    const [, { responses }] = scans.find(([name]) => name === 'get /r/{id}')!;
    expect(JSON.stringify(responses[302])).toContain(`limit=${scanLimit.limit}, `);
    expect(JSON.stringify(responses[302])).toContain(`${scanLimit.limit};w=${scanLimit.windowMs / 1000}`);
  });

  test('the responses of the GS1 resolver and of verifications are described, with their limits', () => {
    const responsesOf = (name: string) => operations.find(([each]) => each === name)![1].responses;
    const given = Object.values(gs1Answers).map(({ json }) => json.status.slice(0, 3));
    const resolved = [...new Set(['200', '307', '400', ...given])]
      .filter((status) => status !== '405')
      .sort();
    for (const path of ['/01/{gtin}', '/01/{gtin}/10/{batch}', '/01/{gtin}/21/{serial}'])
      for (const verb of ['get', 'head'])
        expect([verb, path, ...Object.keys(responsesOf(`${verb} ${path}`))]).toEqual([
          verb,
          path,
          ...resolved,
        ]);
    const item = '/v/{itemId}/{signature}';
    for (const verb of ['get', 'head'])
      expect(Object.keys(responsesOf(`${verb} ${item}`))).toEqual(['200', '404', '429', '503']);
    const policyOf = ({ limit, windowMs }: typeof gs1Limit) => `${limit};w=${windowMs / 1000}`;
    expect(JSON.stringify(responsesOf('get /01/{gtin}')[307])).toContain(policyOf(gs1Limit));
    expect(JSON.stringify(responsesOf(`get ${item}`)[200])).toContain(policyOf(verificationLimit));
  });

  test('the body of any response that is not 2xx is JSON with an `error` string, except if the Model Context Protocol refuses', () => {
    const resolved = (node: Node): Node => {
      const ref = typeof node.$ref === 'string' ? node.$ref.slice(2).split('/') : undefined;
      return ref ? (ref.reduce<unknown>((at, part) => (at as Node)[part], json) as Node) : node;
    };
    const requiresError = (node: Node): boolean => {
      const { anyOf, oneOf, allOf, required, properties } = resolved(node) as Record<string, Node[]>;
      const choices = anyOf ?? oneOf;
      if (choices) return choices.every(requiresError);
      if (allOf?.some(requiresError)) return true;
      const { error } = (properties ?? {}) as Record<string, Node>;
      return (required as unknown[] | undefined)?.includes('error') === true && error?.type === 'string';
    };
    const refusals = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content: given }]) => ({ name: `${name} ${status}`, given })),
    );
    expect(refusals.length).toBeGreaterThan(300);
    // Responses to HEAD have no body.
    const bare = refusals.filter(
      ({ name, given }) => !given?.['application/json'] && !name.startsWith('head '),
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
    const without = refusals.filter(({ given }) => {
      const schema = given?.['application/json']?.schema;
      return schema !== undefined && !requiresError(schema as Node);
    });
    expect(without.map(({ name }) => name)).toEqual(['post /mcp 400', 'post /mcp 404', 'post /mcp 406']);
  });

  test('a list is paginated if it takes a `cursor`, and returned whole otherwise', () => {
    const takesCursor = ({ parameters = [] }: (typeof operations)[0][1]) =>
      parameters.some(({ name }) => name === 'cursor');
    const lists = operations.filter(
      ([, operation]) => operation.operationId.startsWith('list') || takesCursor(operation),
    );
    const paged = lists.filter(([, operation]) => takesCursor(operation));
    const names = (some: typeof lists) => some.map(([name]) => name.slice('get /api/'.length)).sort();
    expect(names(paged)).toEqual(pagedLists);
    expect(names(lists.filter((each) => !paged.includes(each)))).toEqual(wholeLists);
    for (const [name, { responses, parameters = [], description }] of lists) {
      const { nextCursor, pagination } = listOf(responses[200]?.content?.['application/json']?.schema);
      const isPaged = pagedLists.includes(name.slice('get /api/'.length));
      const next = nextCursor ?? (pagination as Node | undefined)?.properties;
      expect([name, next !== undefined]).toEqual([name, isPaged]);
      const limit = parameters.find((each) => each.name === 'limit')?.schema as Node | undefined;
      expect([name, limit !== undefined]).toEqual([name, isPaged]);
      // The description of a list says that it may have further pages.
      expect([name, description.includes('see “Pagination”')]).toEqual([name, isPaged]);
    }
    const introduction = documentShape.parse(json).info.description.replaceAll(/\s+/g, ' ');
    expect(introduction).toContain('A list that takes a `cursor` is paginated');
    expect(introduction).toContain('A list that takes no `cursor` is always returned whole');
  });

  test('the introduction has every status of a refusal, every error of a scan and the statuses of each job', () => {
    const introduction = documentShape.parse(json).info.description;
    const statuses = own
      .flatMap(([, { responses }]) => Object.keys(responses))
      .filter((status) => status >= '400' && !['405', '406', '408', '416'].includes(status));
    for (const status of new Set(statuses)) expect(introduction).toContain(`\n| ${status} | `);
    const scan = operations.find(([name]) => name === 'get /r/{id}')![1];
    for (const status of Object.keys(scan.responses).filter((each) => each >= '400'))
      expect(introduction).toContain(`\n- ${status}: `);
    const [, section] = introduction.split('## Asynchronous operations\n');
    const jobs = [...section!.split('\n## ')[0]!.matchAll(/^\| (.+?) \| (`.+`) \| (`.+`) \|$/gm)];
    const statusesOf = (job: string) => {
      const [, , ...cells] = jobs.find(([, names]) => names!.includes(job))!;
      return cells.join(', ').replaceAll('`', '').split(', ');
    };
    expect(
      ['bulk operations', 'kept exports', 'mint', 'replays', 'imports', 'erasures'].map(statusesOf),
    ).toEqual([bulkStatuses, bulkStatuses, jobStatuses, jobStatuses, importStatuses, erasureStatuses]);
  });

  test('the entries of a bulk operation’s result are distinguished by their status', () => {
    const { responses } = operations.find(([name]) => name === 'get /api/qr/codes/bulk/{bulkId}/result')![1];
    const { items } = responses[200]!.content!['application/json']!.schema as { items: Node };
    expect(items.oneOf).toHaveLength(3);
    expect(items.discriminator).toEqual({
      propertyName: 'status',
      mapping: {
        created: '#/components/schemas/BulkRowDone',
        updated: '#/components/schemas/BulkRowDone',
        unchanged: '#/components/schemas/BulkRowDone',
        valid: '#/components/schemas/BulkRowValid',
        failed: '#/components/schemas/BulkRowFailed',
      },
    });
    const { schemas } = json.components as { schemas: Record<string, Node> };
    expect(schemas.BulkRowDone?.required).toEqual(['uid', 'status', 'id', 'redirectUrl']);
    expect(schemas.BulkRowFailed?.required).toEqual(['uid', 'status', 'message', 'code']);
  });

  test('every body that its schema allows is accepted in UTF-8, except for menus of more than 8 MB, a patch with two logos, whose refusals say so, and messages to tools', () => {
    const units = { KB: 2 ** 10, MB: 2 ** 20 } as const;
    const tooSmall: unknown[] = [];
    for (const [name, { requestBody, responses }] of own) {
      const schema = requestBody?.content?.['application/json']?.schema as Schema | undefined;
      const tooLarge = responses[413]?.description ?? '';
      // Events are written by the payment provider, and a file has its own limit.
      if (!schema || name === 'post /api/webhook/stripe' || /^The file/.test(tooLarge)) continue;
      // What a message of the protocol has besides is open.
      if (name === 'post /mcp') continue;
      const [said = '', size, unit] = /larger than ([\d.]+) ([KM]B)/.exec(tooLarge) ?? [];
      const limit = Number(size) * units[unit as keyof typeof units];
      const largest = largestOf(schema);
      // No body is larger than 25 MB.
      if (!(largest <= limit) && limit < 25 * units.MB) tooSmall.push([name, said]);
    }
    expect(tooSmall).toEqual([
      ['patch /api/qr/codes/{id}', 'larger than 5 MB'],
      ['post /api/qr/menus', 'larger than 8 MB'],
      ['patch /api/qr/menus/{menuId}', 'larger than 8 MB'],
    ]);
  });

  test('each operation lists only its possible errors', () => {
    for (const [name, { responses, requestBody, parameters = [], security }] of own) {
      const isPublic = Array.isArray(security);
      const has = (place: string) => parameters.some((each) => each.in === place);
      const text = (status: number) => responses[status]?.description ?? '';
      // The schema of all errors names plans and quotas.
      const says = JSON.stringify(
        Object.entries(responses).filter(([status]) => Number(status) >= 400),
        (key, value) => (key === 'schema' ? undefined : value),
      );
      expect([name, 'body', /JSON|field/.test(text(400))]).toEqual([name, 'body', requestBody !== undefined]);
      expect([name, 413, 413 in responses]).toEqual([name, 413, requestBody !== undefined]);
      // 404 is also the verdict on a code or a scan that is not ours, the response for a payment provider that is not set up, and for
      // a method that the protocol does not have.
      const withMissing = [
        'post /api/verify/serial',
        'post /api/webhook/stripe',
        'post /api/conversions',
        'post /mcp',
      ];
      const mayBeMissing = has('path') || withMissing.includes(name);
      expect([name, 404, 404 in responses]).toEqual([name, 404, mayBeMissing]);
      // A page's form is refused from other sites.
      const isForbidden = !isPublic || name === 'post /f/{id}';
      expect([name, 'key', 401 in responses, 403 in responses]).toEqual([
        name,
        'key',
        !isPublic,
        isForbidden,
      ]);
      expect([name, 'plan', /\bplan\b|quota/i.test(says)]).toEqual([name, 'plan', !isPublic]);
      const isRepeatable = parameters.some((each) => each.name.endsWith('Idempotency-Key'));
      expect([name, 'header', says.includes('idempotency')]).toEqual([name, 'header', isRepeatable]);
      const quotas = /quota: ([\w, ]+)/.exec(JSON.stringify(responses[429] ?? {}))?.[1];
      const expected = { ...upserts, ...(isRepeatable && quotasOfCalls) }[name] ?? 'apiCalls';
      // The tool that it calls counts.
      if (!isPublic && name !== 'post /mcp') expect([name, quotas]).toEqual([name, expected]);
      // An operation that ignores unknown parameters and has none cannot be called wrongly.
      if (isPublic && !requestBody && !has('query')) expect([name, 400 in responses]).toEqual([name, false]);
    }
  });

  test('every operation has examples, and every example is valid', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('unix-time-ms', true);
    ajv.addSchema(json, 'api');
    // Many responses share a schema, above all errors.
    const validators = new Map<string, ReturnType<typeof ajv.compile>>();
    const validatorOf = (schema: unknown) => {
      const text = relocated(schema);
      const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
      validators.set(text, validate);
      return validate;
    };
    for (const [name, { requestBody, responses }] of operations) {
      const parts = [requestBody, ...Object.values(responses)];
      for (const [type, { schema, example, examples = {} }] of parts.flatMap((part) =>
        Object.entries(part?.content ?? {}),
      )) {
        if (type !== 'application/json' || name === 'get /openapi.json') continue;
        const values = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value),
        ];
        expect(values.length, name).toBeGreaterThan(0);
        const validate = validatorOf(schema);
        for (const value of values) expect([validate(value), validate.errors], name).toEqual([true, null]);
      }
    }
  });
});

/** Rewrites references within a schema to references into the document. */
const relocated = (schema: unknown): string =>
  JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');

test('every enum of an answer is declared open: clients may meet values that they do not know', () => {
  const enumsIn = (node: unknown): Node[] =>
    typeof node !== 'object' || node === null
      ? []
      : [
          ...('enum' in node && Array.isArray(node.enum) && node.enum.length > 1 ? [node as Node] : []),
          ...Object.values(node).flatMap(enumsIn),
        ];
  const enums = operations.flatMap(([, { responses }]) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ schema }) => enumsIn(schema)),
    ),
  );
  expect(enums.length).toBeGreaterThan(100);
  expect(enums.filter((each) => each['x-extensible-enum'] !== undefined).length).toBe(enums.length);
});

test('a colour in capital letters is as valid in the document as in the service', () => {
  const patterns = JSON.stringify(json).match(/"pattern":"(?:[^"\\]|\\.)*"/g) ?? [];
  const hex = patterns.filter((pattern) => /a-f/i.test(pattern));
  expect(hex.length).toBeGreaterThan(5);
  // JSON Schema has no flags for expressions, so the expression itself has both cases.
  expect(hex.filter((pattern) => !(pattern.includes('a-f') && pattern.includes('A-F')))).toEqual([]);
});

test('a newcomer can follow the page’s first steps', async () => {
  const { description } = documentShape.parse(json).info;
  for (const subject of [
    'base URL',
    'API key',
    'curl',
    'Errors',
    'Limits',
    'Pagination',
    'Idempotency-Key',
  ]) {
    expect(description).toContain(subject);
  }
  const { call } = await plane.workspace();
  const bodies = [...description.matchAll(/-d '(\{.*?\})'/g)].map(([, body]) => JSON.parse(body!));
  expect(bodies).toHaveLength(2);
  const created = await call('POST', '/api/qr/codes', bodies[0]);
  expect(created.status).toBe(201);
  const { id } = created.body as { id: string };
  expect((await call('GET', `/api/qr/codes/${id}/image?format=svg`)).status).toBe(200);
  expect((await call('PUT', `/api/qr/codes/${id}`, bodies[1])).body).toMatchObject(bodies[1]);
});
