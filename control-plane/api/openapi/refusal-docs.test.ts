/** The document states each operation's own refusals: their limits and their examples. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { documentedOperations, isOfRedirector } from '../../testing/documented-operations.ts';
import { nouns } from './refusal-examples.ts';

const refusal = z.looseObject({
  description: z.string(),
  content: z
    .record(
      z.string(),
      z.looseObject({
        schema: z.unknown().optional(),
        example: z.unknown().optional(),
      }),
    )
    .optional(),
});
const operationShape = z.looseObject({
  operationId: z.string(),
  description: z.string(),
  responses: z.record(z.string(), refusal),
});

type Documented = z.infer<typeof operationShape>;

let introduction: string;
let operations: Documented[];
/** Of paths that this plane serves. */
let parameters: string[];

beforeAll(async () => {
  const plane = await startTestControlPlane();
  const { body } = await plane.callWith(undefined)('GET', '/openapi.json');
  introduction = z.looseObject({ info: z.looseObject({ description: z.string() }) }).parse(body)
    .info.description;
  const documented = documentedOperations(body, operationShape);
  operations = documented.map(({ operation }) => operation);
  const own = documented.filter(({ template }) => !isOfRedirector(template));
  parameters = own.flatMap(({ template }) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
});

const operationOf = (id: string): Documented => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`${id} is not in the document`);
  return found;
};

const exampleShape = z.looseObject({ error: z.string() }).optional();

const exampleOf = (id: string, status: number) =>
  exampleShape.parse(operationOf(id).responses[status]?.content?.['application/json']?.example)?.error;

const bulkCalls = ['createCodesInBulk', 'uploadCodes', 'replaceCodesInBulk', 'generateCodesInBulk'];
const exports = ['exportCodes', 'exportCodeScans'];

describe('a call limit', () => {
  test.each([
    [
      [...bulkCalls, 'changeCodesByFilter', 'createImport', 'startImport'],
      '5 bulk calls in a minute',
      'create, upload, replace, change by filter, generate, and creating and starting imports together',
    ],
    [exports, '3 exports in an hour', 'codes and scans together'],
  ])('of %j is named: %s', (ids, limit, together) => {
    const sentence = `At most ${limit} (${together})`;
    expect(introduction).toContain(`- ${sentence}\n`);
    expect(introduction).toMatch(/All keys of the subscription share it, from any address\./);
    for (const id of ids) {
      const { description, responses } = operationOf(id);
      expect(description).toContain(`${sentence} per subscription: see “Limits” in the introduction.`);
      expect(responses[429]?.description).toMatch(new RegExp(`^More than ${limit} of one subscription; `));
      expect(exampleOf(id, 429)).toMatch(
        new RegExp(`^More than ${limit} of one subscription; try again in `),
      );
    }
  });

  test('is not mentioned if the operation has none', () => {
    expect(operationOf('createCode').responses[429]?.description).toMatch(
      /^More requests than the plan allows in a second; the plan’s quota `apiCalls` or `dynamicQr` is used up$/,
    );
    expect(exampleOf('createCode', 429)).toBe('More than 5 requests in a second; try again in a second');
  });
});

describe('the example', () => {
  test.each<[id: string, message: RegExp]>([
    ...bulkCalls.map((id): [string, RegExp] => [
      id,
      /^The first request with this Waymark-Idempotency-Key is still being/,
    ]),
    ['createCode', /^externalId 'table-7' is that of the code nX5cPq7Rk$/],
    ['updateCode', /^An encrypted code cannot be updated$/],
    ['deleteCode', /^This code is in legal hold and cannot be deactivated$/],
    ['createBrandKit', /^A workspace has at most \d+ brand kits; delete one first$/],
    ['updateBrandKit', /^The brand kit is being changed by others; try again$/],
    ['getBulkResult', /^blk_7Yh2kPq9RsTuVwXy is not completed: 300 of 1000 rows are done$/],
    ['getBulkGenerateResult', /^blk_7Yh2kPq9RsTuVwXy is not completed: 300 of 1000 pictures are done$/],
  ])('of 409 of %s is one of its own', (id, message) => {
    expect(exampleOf(id, 409)).toMatch(message);
  });

  test('of 409 is given by each operation that has it', () => {
    const without = operations.filter(
      ({ operationId, responses }) => responses[409] && exampleOf(operationId, 409) === undefined,
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('of 403 and 404 has a noun for every path parameter', () => {
    expect(parameters).toContain('importId');
    expect(parameters.filter((each) => nouns[each] === undefined)).toEqual([]);
  });

  test('of 403 and 404 names the resource of the path', () => {
    for (const [id, resource] of [
      ['getCode', "code with the id 'nX5cPq7Rk'"],
      ['updateBrandKit', "brand kit with the id 'bk_4nX5cPq7Rk2mQw8Z'"],
      ['getLandingPage', "landing page with the id 'page_4nX5cPq7Rk2mQw8Z'"],
      ['getImport', "import with the id 'imp_7Yh2kPq9RsTuVwXy'"],
      ['updateForm', "form with the id 'form_4nX5cPq7Rk2mQw8Z'"],
      ['deleteMenu', "menu with the id 'menu_4nX5cPq7Rk2mQw8Z'"],
      ['getBulkOperation', "bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'"],
      ['getBulkGenerateResult', "bulk operation with the id 'blk_7Yh2kPq9RsTuVwXy'"],
    ] as const) {
      expect(exampleOf(id, 403)).toBe(`The ${resource} belongs to another workspace`);
      expect(exampleOf(id, 404)).toBe(`There is no ${resource}`);
    }
  });

  test('of 403 for a feature not on every plan names the capability and the plans that have it', () => {
    expect(exampleOf('createMenu', 403)).toBe(
      'menus is not on the Starter plan; plans with it: Business, Enterprise',
    );
    expect(exampleOf('createLandingPage', 403)).toBe(
      'landingPages is not on the Starter plan; plans with it: Growth, Business, Enterprise',
    );
    expect(exampleOf('createCode', 403)).toBe('The subscription of this API key is cancelled');
  });

  test('of a row names the row', () => {
    expect(exampleOf('createCodesInBulk', 400)).toBe('rows[1].uid is required');
    expect(exampleOf('replaceCodesInBulk', 400)).toBe('rows[1].id is required');
  });
});

test('the bulkId of an upload is the same field before and after submission', () => {
  const schemaOf = (status: number) =>
    z
      .looseObject({
        properties: z.looseObject({ bulkId: z.unknown() }),
        required: z.array(z.string()),
      })
      .parse(operationOf('uploadCodes').responses[status]?.content?.['application/json']?.schema);
  expect(schemaOf(200).properties.bulkId).toEqual(schemaOf(202).properties.bulkId);
  expect(schemaOf(200).properties.bulkId).toMatchObject({ type: ['string', 'null'] });
  for (const status of [200, 202]) expect(schemaOf(status).required).toContain('bulkId');
});
