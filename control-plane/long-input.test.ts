/**
 * No input, however long, blocks the event loop for more than a moment, since all other requests wait that long. The
 * measure is the CPU time of the serving thread, relative to known work at the same time.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';
import { structuredFields } from '#schemas/api/payloads.ts';
import { startModelStandIn } from './features/ai/testing/answers.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from './testing/control-plane.ts';
import { documentedOperations, isOfRedirector } from './testing/documented-operations.ts';
import { startRedirectorStandIn } from './testing/redirector-stand-in.ts';

/** For one request, including the test's own client and checks. */
const cpuMsMax = 100;
/** The compiler and the garbage collector use this thread as well: slow input must be slow every time. */
const attemptsMax = 16;
/** Never reached in practice: there are many requests, and a machine may be busy. */
const patienceMs = 600_000;

let plane: TestControlPlane;
let own: Workspace;
let id: string;

type Send = () => Promise<{ status: number }>;

/** CPU time of this thread, in milliseconds. */
const cpuMsOf = async (send: Send): Promise<number> => {
  const before = process.threadCpuUsage();
  const { status } = await send();
  const { user, system } = process.threadCpuUsage(before);
  expect(status).toBeLessThan(500);
  return (user + system) / 1_000;
};

const known = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ n, text: `text ${n}` })));
let knownLeastMs = Number.POSITIVE_INFINITY;

const knownMs = (): number => {
  const before = process.threadCpuUsage();
  JSON.stringify(JSON.parse(known));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/** How many times as long the same work takes now as at best: neighbours of a core share its caches and its units. */
const slowness = (): number => {
  // A single measurement may include garbage collection.
  const ms = Math.min(knownMs(), knownMs(), knownMs());
  knownLeastMs = Math.min(knownLeastMs, ms);
  return ms / knownLeastMs;
};

/** The additional cost of a body of this size: it is read, walked and parsed, and here the same thread sends it. */
const cpuMsPerMegabyte = 8;

const expectQuick = async (what: string, send: Send, sentBytes = 0): Promise<void> => {
  const allowedMs = cpuMsMax + (sentBytes / 2 ** 20) * cpuMsPerMegabyte;
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attemptsMax && leastMs > allowedMs; attempt++) {
    const ms = await cpuMsOf(send);
    leastMs = Math.min(leastMs, ms > allowedMs ? ms / slowness() : ms);
  }
  expect([what, Math.round(leastMs)]).toEqual([what, Math.min(Math.round(leastMs), allowedMs)]);
};

interface Schema {
  maxLength?: number;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  minItems?: number;
}

const schemaShape = z.custom<Schema>();
const operationShape = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).optional(),
  requestBody: z
    .looseObject({
      description: z.string(),
      content: z.looseObject({
        'application/json': z
          .looseObject({
            schema: schemaShape,
            examples: z.record(
              z.string(),
              z.object({ value: z.union([z.looseObject({}), z.array(z.unknown())]) }),
            ),
          })
          .optional(),
      }),
    })
    .optional(),
});

interface Operation {
  name: string;
  method: string;
  path: string;
  query: string[];
  body?: { bytesMax: number; schema: Schema; example: object } | undefined;
}

let operations: Operation[];

const bytesOf = (description: string): number => {
  const [, count, unit] = /(\d+) ([KM])B/.exec(description) ?? [];
  return Number(count) * (unit === 'M' ? 2 ** 20 : 2 ** 10);
};

beforeAll(async () => {
  // The compiler is done with it, and the best time is known.
  for (let round = 0; round < 100; round++) slowness();
  plane = await startTestControlPlane({
    environment: {
      TRUSTED_PROXIES: '127.0.0.0/8',
      REDIRECTOR_URL: await startRedirectorStandIn(),
      ...(await startModelStandIn()),
    },
  });
  own = await plane.workspace();
  ({ id } = await own.createCode());
  const { body } = await plane.callWith(undefined)('GET', '/openapi.json');
  operations = documentedOperations(body, operationShape).map(
    ({ template: path, method, operation: { operationId, parameters = [], requestBody } }) => {
      const json = requestBody?.content['application/json'];
      return {
        name: operationId,
        method,
        path,
        query: parameters.filter((each) => each.in === 'query').map((each) => each.name),
        body: json && {
          bytesMax: bytesOf(requestBody?.description ?? ''),
          schema: json.schema,
          example: Object.values(json.examples)[0]!.value,
        },
      };
    },
  );
});

let sender = 0;

const send = (
  { method, path }: Operation,
  {
    query = '',
    body,
    headers = {},
    pathPart = id,
  }: { query?: string; body?: unknown; headers?: Record<string, string>; pathPart?: string },
) => {
  sender++;
  return fetch(plane.url + path.replaceAll(/\{\w+\}/g, pathPart) + query, {
    method,
    headers: {
      authorization: `Bearer ${own.apiKey}`,
      'content-type': 'application/json',
      // Each from another address: limits by address are not the subject.
      'x-forwarded-for': `10.${(sender >> 16) & 255}.${(sender >> 8) & 255}.${sender & 255}`,
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response;
  });
};

const ideographs = Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0x4e00 + n * 37)).join('');

/** Patterns at which expressions and parsers have been slow: each is repeated to the requested length. */
const patterns: Record<string, string> = {
  digits: '1',
  spaces: ' ',
  letters: 'a',
  'white space and digits': '1 ',
  brackets: '(1)-',
  quotes: '"',
  backslashes: '\\',
  'semicolons and colons': 'a:b;',
  'percent signs': '%C3',
  accents: 'é\u0301',
  ideographs,
};

/** Text before the pattern that makes it the rest of something. */
const beginnings = ['', 'https://', 'https://example.com/', 'data:image/png;base64,iVBORw0KGgo'];
const allowedLengthMax = 4_000;
/** Texts as long as their field allows, and texts too long for any field except logos. */
const textsOf = (pattern: string): readonly [what: string, TextOf][] => [
  ...beginnings.map((each): [string, TextOf] => [
    `${each} as long as is allowed`,
    (allowed = allowedLengthMax) => {
      const length = Math.min(allowed, allowedLengthMax);
      return textOf(each, pattern, Math.max(1, length - each.length - ending.length));
    },
  ]),
  ...['', 'data:image/png;base64,iVBORw0KGgo'].map((each): [string, TextOf] => [
    `${each} too long`,
    () => textOf(each, pattern, 60_000),
  ]),
];

/** Beginnings of ready payloads. */
const payloadBeginnings: Record<DataType, readonly string[]> = {
  text: [''],
  url: ['https://', 'https://example.com/'],
  gs1: ['https://', 'https://id.gs1.org/01/', '', '(10)', '^10'],
  email: ['', 'mailto:', 'mailto:a@b.example?body=', 'MATMSG:TO:a;BODY:'],
  phone: ['', 'tel:+1;'],
  sms: ['+1', 'sms:', 'SMSTO:1:'],
  geo: ['', 'geo:1,1?q='],
  wifi: ['WIFI:S:', 'WIFI:'],
  mecard: ['MECARD:N:'],
  vcard: ['BEGIN:VCARD\nFN:', 'BEGIN:VCARD\nFN:x\nTEL;X="'],
  vcalendar: ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY;X="'],
};

/** The end of each text: an expression that has matched so far fails here. */
const ending = '!\u0001';

const textOf = (beginning: string, pattern: string, length: number): string =>
  beginning + pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length) + ending;

/** @param allowed the maximum length of the field */
type TextOf = (allowed: number | undefined) => string;

/** A value of the schema's shape in which every string is made for its place. */
const filled = (schema: Schema, text: TextOf): unknown => {
  if (schema.enum) return schema.enum[0];
  const branches = schema.anyOf ?? [];
  if (branches.length > 0)
    return filled(branches.find(({ type }) => type === 'string') ?? branches[0]!, text);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return text(schema.maxLength);
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, part]) => [key, filled(part, text)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () =>
        filled(schema.items ?? {}, text),
      );
    case 'boolean':
      return true;
    default:
      return 1;
  }
};

/** The example, once for each string of the schema, with that string replaced. */
const eachString = (schema: Schema, text: string): [path: string, value: unknown][] => {
  if (schema.enum) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => eachString(branch, text));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return [['', text]];
    case 'object':
      return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
        eachString(part, text).map(([path, value]): [string, unknown] => [
          `${key} ${path}`,
          { [key]: value },
        ]),
      );
    case 'array':
      return eachString(schema.items ?? {}, text).map(([path, value]): [string, unknown] => [path, [value]]);
    default:
      return [];
  }
};

/** The document also has a redirector's form, whose bodies are not this plane's. */
const withBody = () =>
  operations.flatMap((each) =>
    each.body && !isOfRedirector(each.path) ? [{ ...each, body: each.body }] : [],
  );

/** Bodies refused before a schema or by its first check: all operations with one body limit treat them alike. */
const withoutSchema = (bytesMax: number): Record<string, string> => {
  const deep = Math.floor(bytesMax / 7);
  return {
    '[[[': '['.repeat(bytesMax),
    '[[[]]]': `${'['.repeat(bytesMax / 2)}${']'.repeat(bytesMax / 2)}`,
    '{"a":{"a":': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    '[{},{},': `[${'{},'.repeat(bytesMax / 4)}{}]`,
    '["","",': `[${'"",'.repeat(bytesMax / 4)}""]`,
    '{"1":0,': `{${Array.from({ length: Math.floor(bytesMax / 16) }, (_, n) => `"${n}":0`).join(',')}}`,
    '"\\\\\\': `"${'\\'.repeat(bytesMax - 2)}"`,
    '111': '1'.repeat(bytesMax),
    spaces: ' '.repeat(bytesMax),
    commas: ','.repeat(bytesMax),
  };
};

describe('no request blocks the event loop', () => {
  test.each(Object.entries(patterns))(
    'with every string of a body made of %s',
    async (_, pattern) => {
      const texts = textsOf(pattern);
      for (const [at, operation] of withBody().entries()) {
        // Operations share their fields: each operation gets two of the texts, and each field all of them.
        for (const [what, text] of texts.filter((_, index) => index % 3 === at % 3)) {
          const body = filled(operation.body.schema, text);
          await expectQuick(`${operation.name} ${what}`, () => send(operation, { body }));
        }
      }
    },
    patienceMs,
  );

  test(
    'with a megabyte in any one string',
    async () => {
      const withoutStrings: string[] = [];
      // A field that several operations share is read by the same code in each: it is sent to two of them.
      const sent = new Map<string, number>();
      for (const operation of withBody()) {
        const { bytesMax, schema, example } = operation.body;
        const text = textOf('', '1 ', Math.min(2 ** 20, Math.max(bytesMax - 4_096, bytesMax / 2)));
        const cases = eachString(schema, text);
        if (cases.length === 0) withoutStrings.push(operation.name);
        for (const [path, value] of cases) {
          const field = schema.properties?.[path.split(' ')[0]!] ?? schema;
          const key = `${path} ${JSON.stringify(field)}`;
          const times = sent.get(key) ?? 0;
          sent.set(key, times + 1);
          if (times >= 2) continue;
          const body = Array.isArray(value) ? value : { ...example, ...(value as object) };
          await expectQuick(`${operation.name} ${path}`, () => send(operation, { body }));
        }
      }
      // They take a number, or the name of a type.
      expect(withoutStrings.sort()).toEqual([
        'exportCodesToFile',
        'revertCode',
        'rotateKey',
        'testWebhook',
        'updateSettings',
      ]);
    },
    patienceMs,
  );

  test(
    'with any payload of any data type, as text or as fields',
    async () => {
      const generate = withBody().find(({ path }) => path === '/api/qr/public/generate')!;
      for (const dataType of dataTypes) {
        for (const pattern of Object.values(patterns)) {
          const long = textOf('', pattern, 60_000);
          const fields = dataType in structuredFields ? structuredFields[dataType as 'wifi'].shape : {};
          const allOf = (text: string) => Object.fromEntries(Object.keys(fields).map((key) => [key, text]));
          const structured = [long, textOf('https://', pattern, 40_000)].map(allOf);
          const data = [
            ...structured,
            long,
            ...payloadBeginnings[dataType].map((each) => textOf(each, pattern, 4_000)),
          ];
          for (const value of data)
            await expectQuick(`${dataType} ${JSON.stringify(value).slice(0, 60)}`, () =>
              send(generate, { body: { dataType, data: value } }),
            );
        }
      }
    },
    patienceMs,
  );

  test(
    'with lists that are too long, of valid or invalid entries',
    async () => {
      const update = withBody().find(({ name }) => name === 'updateCode')!;
      const rule = (n: number) => ({
        id: `r${n}`,
        condition: { os: ['ios'] },
        destination: 'https://example.com/',
      });
      const variant = { destination: `https://example.com/${'é'.repeat(500)}`, weight: 1 };
      const lists = {
        'rules of zeros': { routingRules: Array(20_000).fill(0) },
        'rules with no condition': { routingRules: Array(10_000).fill({}) },
        rules: { routingRules: Array.from({ length: 5_000 }, (_, n) => rule(n)) },
        variants: { campaign: { status: 'active', variants: Array(3_000).fill(variant) } },
        countries: { routingRules: [{ ...rule(1), condition: { country: Array(40_000).fill('XX') } }] },
        'wrong countries, as many as allowed': {
          routingRules: Array.from({ length: 50 }, (_, n) => ({
            ...rule(n),
            condition: { country: Array(249).fill('XX') },
          })),
        },
        'conditions, as many as allowed': {
          routingRules: Array.from({ length: 50 }, (_, n) => ({
            ...rule(n),
            condition: {
              language: Array.from({ length: 20 }, (_, tag) => `de-x-${tag}`),
              query: Object.fromEntries(
                Array.from({ length: 10 }, (_, name) => [`p${name}`, Array(5).fill('x')]),
              ),
              time: { from: '09:00', timezone: Intl.supportedValuesOf('timeZone')[n] },
            },
          })),
        },
        'parameters, as many as allowed': {
          parameters: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, '{'.repeat(500)])),
        },
        'a schedule of hosts of ideographs, as many as allowed': {
          schedule: Array.from({ length: 50 }, (_, n) => ({
            at: `${2040 + n}-01-01T00:00:00Z`,
            destination: `https://${ideographs.slice(0, 250)}${n}/`,
          })),
        },
        'hosts of ideographs, as many as allowed': {
          routingRules: Array.from({ length: 50 }, (_, n) => ({
            ...rule(n),
            destination: `https://${ideographs.slice(0, 250)}${n}/`,
          })),
        },
      };
      for (const [what, body] of Object.entries(lists)) await expectQuick(what, () => send(update, { body }));
    },
    patienceMs,
  );

  test(
    'with a menu of as many items, tags and URLs as allowed, valid and invalid ones',
    async () => {
      const create = withBody().find(({ name }) => name === 'createMenu')!;
      const menuOf = (item: object) => ({
        name: 'x',
        tagCategories: Array.from({ length: 10 }, (_, n) => ({ id: `c${n}`, name: 'x', values: [] })),
        sections: Array(20).fill({ name: 'x', items: Array(50).fill({ name: 'x', ...item }) }),
      });
      const tags = Array.from({ length: 30 }, (_, n) => `${n}`);
      const three = Object.fromEntries(tags.slice(0, 10).map((n) => [`c${n}`, tags.slice(0, 3)]));
      const menus = {
        'all allergens and diets': { allergens: tags, dietary: tags },
        'tags of all categories': { customTags: three },
        'tags of no category': { customTags: { d: ['x'] } },
        'names of one kind': { name: `${'é'.repeat(119)}!` },
        'hosts of ideographs': {
          imageUrl: `https://${ideographs.slice(0, 60)}.${ideographs.slice(60, 120)}.example/`,
        },
        'hosts that are too long': { imageUrl: `https://${ideographs.slice(0, 280)}/` },
        'long texts': { description: '\n'.repeat(500), imageUrl: `https://example.com/${'x'.repeat(1_900)}` },
        'nothing right': {
          name: ' ',
          price: 5,
          allergens: [' ', 7],
          customTags: { '?': ['x'] },
          imageUrl: 'x',
          id: '?',
        },
        'the same id': { id: 'x' },
        'unknown fields': Object.fromEntries(tags.map((n) => [`x${n}`, 0])),
      };
      for (const [what, item] of Object.entries(menus)) {
        const body = JSON.stringify(menuOf(item));
        await expectQuick(what, () => send(create, { body }), Buffer.byteLength(body));
      }
    },
    patienceMs,
  );

  test(
    'with deep nesting and many names',
    async () => {
      const sizes = new Set<number>();
      for (const operation of withBody()) {
        const { bytesMax } = operation.body;
        const wellFormed = {
          '{"x1":0, as many as are allowed': `{${Array.from({ length: bytesMax > 2 ** 21 ? 24_000 : 900 }, (_, n) => `"x${n}":0`).join(',')}}`,
          '[{},{}, as many as are allowed': `[${'{},'.repeat(bytesMax > 2 ** 21 ? 12_000 : 450)}{}]`,
        };
        const texts = { ...wellFormed, ...(!sizes.has(bytesMax) && withoutSchema(bytesMax)) };
        sizes.add(bytesMax);
        for (const [what, body] of Object.entries(texts))
          await expectQuick(`${operation.name} ${what}`, () => send(operation, { body }), body.length);
      }
    },
    patienceMs,
  );

  test(
    'with long paths and queries',
    async () => {
      const kinds = ['white space and digits', 'semicolons and colons', 'ideographs'];
      const many = ['&a'.repeat(7_000), Array.from({ length: 2_000 }, (_, n) => `a${n}=`).join('&')];
      for (const [at, operation] of operations.entries()) {
        const body = operation.body?.example;
        // All operations share one router and one query parser: these get each kind, and each operation one of them.
        for (const [index, what] of kinds.entries()) {
          // A character beyond ASCII takes up to nine in a URL.
          const text = encodeURIComponent(textOf('', patterns[what]!, 1_000))
            .slice(0, 9_000)
            .replace(/%.?$/, '');
          if (index === at % kinds.length)
            await expectQuick(`${operation.name} path of ${what}`, () =>
              send(operation, { pathPart: text, body }),
            );
          for (const name of operation.query)
            await expectQuick(`${operation.name} ${name} of ${what}`, () =>
              send(operation, { query: `?${name}=${text}`, body }),
            );
        }
        const query = at % 3 === 2 ? `q=${'1 '.repeat(3_000)}` : many[at % 3]!;
        await expectQuick(`${operation.name} ${query.slice(0, 10)}`, () =>
          send(operation, { query: `?${query}`, body }),
        );
      }
    },
    patienceMs,
  );

  test(
    'with long headers',
    async () => {
      const together = ['accept', 'if-none-match', 'request-id', 'cookie', 'idempotency-key'];
      const alone = ['authorization', 'content-type', 'x-forwarded-for', 'waymark-idempotency-key'];
      const headerPatterns = [' ', ', ', ';', '"', 'W/"a",', '; charset=', '1.'];
      const value = (pattern: string, length: number) => `Bearer ${pattern.repeat(length / pattern.length)}x`;
      for (const [at, operation] of operations.entries()) {
        const body = operation.body?.example;
        // Operations with a body do their work each time: together they get each pattern.
        const met = headerPatterns.filter((_, index) => !body || (index + at) % 3 === 0);
        for (const pattern of met) {
          const headers = Object.fromEntries(together.map((name) => [name, value(pattern, 2_000)]));
          await expectQuick(`${operation.name} headers of ${pattern}`, () =>
            send(operation, { headers, body }),
          );
        }
        // All operations read these with the same code: it gets each pattern, and each operation one of them.
        for (const [index, name] of alone.entries()) {
          const pattern = headerPatterns[(at + index) % headerPatterns.length]!;
          await expectQuick(`${operation.name} ${name}: ${pattern}`, () =>
            send(operation, { headers: { [name]: value(pattern, 9_000) }, body }),
          );
        }
      }
    },
    patienceMs,
  );
});
