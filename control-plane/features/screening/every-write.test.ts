/**
 * No write leads a visitor where the operator blocks: each operation of the OpenAPI document whose body has a field for a URL
 * is sent a blocked one in each of them. A new field fails here until it is screened, or is said to lead nowhere.
 */
import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { bulkProgress } from '#schemas/api/bulk.ts';
import { createOutbox } from '../../framework/outbox.ts';
import type { AdminContext } from '../../framework/verb.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { documentedOperations } from '../../testing/documented-operations.ts';
import { resultOf } from '../bulk/testing/calls.ts';
import { screeningVerbs } from './verbs.ts';

const evil = 'https://evil.example/page';

/** What is sent in a field, with a URL in each of the places that it has for one; one value for each place. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  routingRules: [[{ condition: { country: ['DE'] }, destination: evil }]],
  campaign: [{ status: 'active', variants: [{ weight: 1, destination: evil }] }],
  schedule: [[{ at: '2999-01-01T00:00:00Z', destination: evil }]],
  messages: [{ inactive: { button: { label: 'x', url: evil } } }],
  deepLinkConfig: [
    { ios: { url: evil } },
    { android: { url: evil } },
    { ios: { url: 'myapp://open', appStoreUrl: evil } },
    { android: { url: 'myapp://open', playStoreUrl: evil } },
  ],
  buttons: [[{ label: 'x', destination: evil }]],
  socials: [[{ platform: 'github', url: evil }]],
  links: [[{ linkType: 'gs1:pip', href: evil, title: 'x' }]],
  sections: [[{ name: 'x', items: [{ name: 'x', description: `Order at ${evil}` }] }]],
  branding: [{ url: evil }],
  patch: [{ destination: evil }, { destinationHost: 'evil.example' }, { beforeStartUrl: evil }],
};

/** Fields that have URLs, and lead no visitor anywhere. */
const leadNowhere = [
  // Servers of the owner, which get requests of ours.
  'createWebhook.url',
  'updateWebhook.url',
  // Static codes hold their data themselves: no scan of them passes through here.
  /^(?:createStaticCode|generateCodesInBulk)\./,
  // It chooses codes.
  'changeCodesByFilter.filter',
  // Pictures are fetched by us, or sent.
  'uploadLandingPageImage.dataUrl',
  /\.(?:image|logo|\w+(?:Image|Logo|Icon|Avatar)Url|(?:image|logo|icon|avatar)Url)$/,
  // Reported by a visitor.
  'reportCode.url',
];

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const operationShape = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  requestBody: z
    .looseObject({
      content: z.looseObject({
        'application/json': z
          .looseObject({
            schema: z.custom<Schema>(),
            examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
          })
          .optional(),
      }),
    })
    .optional(),
});

const isOfUrl = (name: string, { description = '' }: Schema): boolean =>
  /url$|^href$|^destination(?:Host)?$|^website$/i.test(name) ||
  /https?`? (?:or `?https`? )?URL/.test(description);

const partsOf = ({
  properties = {},
  items,
  anyOf = [],
  oneOf = [],
  allOf = [],
}: Schema): [string, Schema][] => [
  ...Object.entries(properties),
  ...[items ?? [], anyOf, oneOf, allOf].flat().map((each): [string, Schema] => ['', each]),
];

/** Whether a field, or one below it, takes a URL. */
const takesUrl = (name: string, schema: Schema): boolean =>
  isOfUrl(name, schema) || partsOf(schema).some(([below, part]) => takesUrl(below, part));

/** Names of the fields of a body, or of the rows of one. */
const urlFieldsOf = (schema: Schema): string[] => {
  const own = Object.entries(schema.properties ?? {}).filter(([name, part]) => takesUrl(name, part));
  const within = partsOf({ ...schema, properties: {} }).flatMap(([, part]) => urlFieldsOf(part));
  return [...new Set([...own.map(([name]) => name), ...within])];
};

let plane: TestControlPlane;
let own: Workspace;
let ids: Record<string, string>;

const idsOf = async (): Promise<Record<string, string>> => {
  const { id } = await own.createCode();
  const made = [
    ['/api/qr/landing-pages', { name: 'x' }],
    ['/api/qr/forms', { name: 'x' }],
    ['/api/qr/menus', { name: 'x' }],
    ['/api/qr/serialized-batches', { batchName: 'x', count: 1 }],
    [
      '/api/qr/gs1/entries',
      {
        path: '/01/09506000134352',
        itemDescription: 'x',
        links: [{ linkType: 'gs1:pip', href: 'https://example.com/', title: 'x' }],
      },
    ],
  ] as const;
  const answers = [];
  for (const [path, body] of made) answers.push((await own.call('POST', path, body)).body as object);
  const domain = await own.call('POST', '/api/domains', { domain: 'go.brand.example' });
  return Object.assign({ id, domainId: (domain.body as { id: string }).id }, ...answers);
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  ids = await idsOf();
  const context = { pool: plane.pool, outbox: createOutbox([]) } as unknown as AdminContext;
  await screeningVerbs['block-destination']!.run({ destination: 'evil.example' }, context);
  // The first entry of all is known a second later.
  const create = () => own.call('POST', '/api/qr/codes', { data: evil });
  await vi.waitFor(async () => expect((await create()).status).toBe(422), { timeout: 30_000 });
});

const isLeadingNowhere = (field: string): boolean =>
  leadNowhere.some((each) => (typeof each === 'string' ? each === field : each.test(field)));

interface Probe {
  name: string;
  /** With each example of the operation: not every one may have the field. */
  codes(): Promise<unknown[]>;
}

/** What became of a call, or of the row of a bulk call. */
const codeOf = async (method: string, path: string, body: unknown): Promise<unknown> => {
  const answer = await own.call(method, path, body);
  if (answer.status !== 202) return (answer.body as { code?: string }).code ?? answer.status;
  const bulk = bulkProgress.safeParse(answer.body);
  return bulk.success ? (await resultOf(own.call, bulk.data.bulkId))[0]?.code : answer.status;
};

/** An example with another value in a field. */
const withField = (example: unknown, field: string, value: unknown): unknown => {
  if (Array.isArray(example)) return [withField(example[0], field, value)];
  const body = { ...(example as object), [field]: value };
  return 'id' in body ? { ...body, id: ids.id } : body;
};

const probesOf = async (): Promise<Probe[]> => {
  const { body: document } = await plane.callWith(undefined)('GET', '/openapi.json');
  return documentedOperations(document, operationShape).flatMap(({ template, method, operation }) => {
    const { operationId, requestBody, security } = operation;
    const json = requestBody?.content['application/json'];
    if (!json || security?.length === 0) return [];
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
    const examples = Object.values(json.examples ?? {}).map(({ value }) => value);
    const named = (field: string) => `${operationId}.${field}`;
    return urlFieldsOf(json.schema)
      .filter((field) => !isLeadingNowhere(named(field)))
      .flatMap((field) =>
        (samples[field] ?? [evil]).map((sample) => ({
          name: named(field),
          codes: () =>
            Promise.all(examples.map((each) => codeOf(method, path, withField(each, field, sample)))),
        })),
      );
  });
};

test('no operation takes a blocked URL in any field', async () => {
  const probes = await probesOf();
  const taken: unknown[] = [];
  for (const { name, codes } of probes) {
    const got = await codes();
    if (!got.includes('DESTINATION_BLOCKED')) taken.push({ name, got });
  }
  expect(taken).toEqual([]);
  expect(new Set(probes.map(({ name }) => name)).size).toBeGreaterThan(40);
});
