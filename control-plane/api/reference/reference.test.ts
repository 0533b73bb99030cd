/** The reference of a small document of its own: what is escaped, folded, quoted and sent. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { parse } from 'acorn';
import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../openapi/document.ts';
import { keyMark } from './code.ts';
import { requestExamplesOf } from './examples.ts';
import { type Endpoint, outlineOf, type Schema } from './outline.ts';
import { createReference } from './reference.ts';
import { answerExamplesOf } from './responses.ts';

const hostile = `<img src=x onerror=alert(1)> "' & </script><script>alert(2)</script>`;

interface Given {
  text?: string;
  name?: string;
  body?: Schema;
  example?: unknown;
}

const documentOf = ({ text = 'A text.', name = 'name', body, example = {} }: Given = {}): OpenApiDocument =>
  ({
    openapi: '3.1.0',
    info: { title: 'Waymark', version: '0.1.0', description: `${text}\n\n## First calls\n\n${text}` },
    servers: [{ url: 'https://api.example.com' }],
    tags: [{ name: 'Dynamic codes', description: text }],
    paths: {
      '/api/things/{thingId}': {
        post: {
          operationId: 'makeThing',
          tags: ['Dynamic codes'],
          summary: text,
          description: `${text}\n\n| ${name} |\n| --- |\n| x |`,
          parameters: [
            {
              in: 'path',
              name: 'thingId',
              required: true,
              description: text,
              schema: { type: 'string', example: 'a/b' },
            },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: body ?? {
                  type: 'object',
                  properties: { [name]: { type: 'string', description: text } },
                },
                examples: { one: { summary: text, value: example } },
              },
            },
          },
          responses: {
            200: {
              description: text,
              content: { 'application/json': { schema: { type: 'object' }, example } },
            },
            404: { description: text, content: { 'application/json': { example } } },
          },
        },
      },
    },
    webhooks: {},
  }) as unknown as OpenApiDocument;

const ask = async (document: OpenApiDocument, name?: string, headers: Record<string, string> = {}) => {
  const reference = createReference(document);
  const served = name === undefined ? await reference.introduction() : await reference.find(name);
  return served!.answer({ header: (each) => headers[each] ?? '' });
};

const textOf = async (...asked: Parameters<typeof ask>): Promise<string> =>
  Buffer.concat([...((await ask(...asked)).parts ?? [])]).toString();

test.each([undefined, 'dynamic-codes'])(
  'no text of the document becomes markup: names, descriptions, examples and values, on page %s',
  async (name) => {
    const given = {
      text: `${hostile} [a](javascript:alert(3)) ![b](https://elsewhere.example/x.png) \`${hostile}\``,
      name: hostile,
      body: {
        type: 'object',
        properties: { [hostile]: { enum: [hostile], default: hostile, pattern: hostile } },
      },
      example: { [hostile]: hostile },
    };
    const [page, plain] = await Promise.all([textOf(documentOf(given), name), textOf(documentOf(), name)]);
    expect(page).toContain('&lt;img src=x');
    const tagsOf = (html: string) => new Set(html.match(/<[a-z][\w-]*(?=[\s>])/g));
    expect([...tagsOf(page)].filter((tag) => !tagsOf(plain).has(tag))).toEqual(
      expect.not.arrayContaining(['<img']),
    );
    expect(page.match(/<script/g)).toHaveLength(plain.match(/<script/g)!.length);
    expect(page).not.toMatch(/(?:href|src)="(?:javascript|https:\/\/elsewhere)/);
    expect(page.replaceAll(/="[^"]*"/g, '=""').match(/<[^>]*\son\w+=/)).toBeNull();
  },
);

test('the policy allows the one script in the page by its hash, and the page has no style or handler in its markup', async () => {
  const { headers = {} } = await ask(documentOf(), 'dynamic-codes');
  const page = await textOf(documentOf(), 'dynamic-codes');
  const inPage = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);
  expect(inPage).toHaveLength(1);
  const hash = createHash('sha256').update(inPage[0]!).digest('base64');
  const policy = headers['content-security-policy'];
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'; style-src 'self';`);
  expect(policy).toContain("default-src 'none';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  expect(page).not.toMatch(/<style|\sstyle="/);
});

test('a page has a strong tag for each encoding, and is not sent again to a client that names it', async () => {
  const document = documentOf();
  const encodings = { '': (bytes: Buffer) => bytes, gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync };
  const tags = new Set<string>();
  const texts = new Set<string>();
  for (const [encoding, decode] of Object.entries(encodings)) {
    const accept = { 'accept-encoding': encoding };
    const { headers = {}, parts = [] } = await ask(document, 'dynamic-codes', accept);
    expect([headers['content-encoding'] ?? '', headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    tags.add(headers.etag!);
    texts.add(decode(Buffer.concat([...parts])).toString());
    const again = await ask(document, 'dynamic-codes', { ...accept, 'if-none-match': headers.etag! });
    expect([again.status, again.parts]).toEqual([304, undefined]);
    expect(again.headers?.['content-security-policy']).toBe(headers['content-security-policy']);
  }
  expect([tags.size, texts.size]).toEqual([3, 1]);
});

test('style sheet and script are named by their contents and kept forever; a page is asked for again', async () => {
  const page = await textOf(documentOf());
  const names = [...page.matchAll(/(?:href|src)="\/docs\/(reference\.[\w-]+\.(?:css|js))"/g)].map(
    ([, name]) => name!,
  );
  expect(names).toHaveLength(2);
  for (const name of names) {
    const { headers = {} } = await ask(documentOf(), name);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(name).toContain(headers.etag!.slice(1, -1));
  }
  expect((await ask(documentOf())).headers?.['cache-control']).toBe('no-cache');
});

const nested = (depth: number): Schema => ({
  type: 'object',
  required: [`level${depth}`],
  properties: { [`level${depth}`]: depth === 4 ? { type: 'string' } : nested(depth + 1) },
});

test('fields of two levels are open, and deeper ones are folded', async () => {
  const page = await textOf(documentOf({ body: nested(1) }), 'dynamic-codes');
  const foldsOf = (level: number) =>
    new RegExp(`<details class="inner"( open)?><summary>Fields of <code>level${level}</code>`).exec(
      page,
    )?.[1];
  expect([foldsOf(1), foldsOf(2), foldsOf(3)]).toEqual([' open', undefined, undefined]);
  for (const path of ['level1', 'level1.level2', 'level1.level2.level3', 'level1.level2.level3.level4'])
    expect(page).toContain(`<li class="field" id="makeThing.body.${path}">`);
});

/** The text of one field, without markup. */
const fieldText = async (schema: Schema): Promise<string> => {
  const body = { type: 'object', properties: { it: schema } };
  const page = await textOf(documentOf({ body }), 'dynamic-codes');
  const [, inside = ''] = /id="makeThing\.body\.it">([\s\S]*?)<h3>Responses/.exec(page) ?? [];
  return inside
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
    .trim();
};

test.each<[Schema, string]>([
  [{ type: 'string', minLength: 1, maxLength: 1200 }, 'it string 1 to 1,200 characters'],
  [
    { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }], default: null },
    'it string or null Default: null At most 9 characters',
  ],
  [{ type: ['integer', 'null'], minimum: 1 }, 'it integer or null At least 1'],
  [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'it integer'],
  [{ type: 'string', enum: ['a', ''] }, 'it string One of a ""'],
  [{ const: true }, 'it boolean Always true'],
  [
    { type: 'array', items: { type: 'string', pattern: '^x$' }, maxItems: 6 },
    'it array of strings At most 6 entries Matches ^x$',
  ],
  [
    { anyOf: [{ type: 'string', maxLength: 4 }, { type: 'integer' }] },
    'it string or integer String: at most 4 characters',
  ],
  [
    { type: 'object', additionalProperties: { type: 'string' }, propertyNames: { maxLength: 3 } },
    'it map of strings Each key: at most 3 characters',
  ],
  [{ type: 'string', format: 'date-time' }, 'it string ISO 8601 date and time'],
  [{ not: {}, description: 'Must not be given.' }, 'it never Must not be given.'],
  [{ type: 'string', readOnly: true }, 'it string read only'],
])('the field %j is shown as “%s”', async (schema, shown) => {
  expect(await fieldText(schema)).toBe(shown);
});

test('each form of an object has its own fields, named by the field that tells them apart', async () => {
  const form = (type: string, field: string): Schema => ({
    type: 'object',
    properties: { type: { const: type }, [field]: { type: 'string' } },
  });
  const text = await fieldText({ oneOf: [form('link', 'url'), form('text', 'words')] });
  expect(text).toMatch(/If type is link .*url string .*If type is text .*words string/);
});

const endpointOf = (example: unknown) => outlineOf(documentOf({ example })).groups[0]!.endpoints[0]!;

test('a shell passes the body of the curl example on as it is', () => {
  const example = { text: `it's "quoted" $HOME \`x\` \\ 'end'` };
  const [{ curl } = { curl: '' }] = requestExamplesOf(endpointOf(example));
  const program = `curl() { printf '%s\\0' "$@"; }\nKEY=wm_1\n${curl.replaceAll(keyMark, '$KEY')}`;
  const given = execFileSync('sh', ['-c', program], { encoding: 'utf8' }).split('\0');
  expect(given).toContain('https://api.example.com/api/things/a%2Fb');
  expect(given).toContain('Authorization: Bearer wm_1');
  expect(JSON.parse(given[given.indexOf('-d') + 1]!)).toEqual(example);
});

test('the TypeScript example is a module that sends the body as it is', () => {
  const example = { 'a-key': `it's "quoted" \${x} \\ \n`, list: [1, null, { deep: true }], empty: {} };
  const [{ typescript } = { typescript: '' }] = requestExamplesOf(endpointOf(example));
  const program = typescript.replaceAll(keyMark, 'wm_1');
  expect(() => parse(program, { ecmaVersion: 'latest', sourceType: 'module' })).not.toThrow();
  const [, sent] = /body: JSON\.stringify\(([\s\S]*?)\),\n\}\);/.exec(program)!;
  expect(new Function(`return ${sent}`)()).toEqual(example);
});

test('the example of a dry run comes after that of the call itself', () => {
  const response = (example: object) => ({ description: '', content: { 'application/json': { example } } });
  const responses = { 200: response({ dryRun: true }), 201: response({ id: 'a' }), 422: response({}) };
  const examples = answerExamplesOf({ docs: { responses } } as unknown as Endpoint);
  expect(examples.map(([status]) => status)).toEqual(['201', '200']);
});
