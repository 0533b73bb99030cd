/** Start, schedule, ways out, parameters and conditions of codes, from the API to the record of redirectors. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeList } from '#schemas/api/code-lists.ts';
import { type CodeObject, wholeCodeObject } from '#schemas/api/codes.ts';
import { codeExplanation } from '#schemas/api/explain.ts';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import { redisUrl } from '../../../deploy/testing/index.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

const redis = new Redis(redisUrl());
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});
afterAll(() => redis.disconnect());

const read = async ({ id }: Pick<CodeObject, 'id'>) =>
  wholeCodeObject.parse((await own.call('GET', `/api/qr/codes/${id}`)).body);
const put = async ({ id }: Pick<CodeObject, 'id'>, body: object) => {
  const answer = await own.call('PUT', `/api/qr/codes/${id}`, body);
  expect(answer.status).toBe(200);
  return wholeCodeObject.parse(answer.body);
};
const explain = async ({ id }: Pick<CodeObject, 'id'>, query: Record<string, string>) => {
  const answer = await own.call('GET', `/api/qr/codes/${id}/explain?${new URLSearchParams(query)}`);
  expect(answer.status).toBe(200);
  return codeExplanation.parse(answer.body);
};
const textOf = async ({ id }: Pick<CodeObject, 'id'>) => (await redis.get(recordKey(id))) ?? '';
const recordOf = async (code: Pick<CodeObject, 'id'>) => parseRecord(await textOf(code));

const url = 'https://example.com/';
const [first, second, third] = ['2097', '2098', '2099'].map((year) => `${year}-01-01T00:00:00.000Z`);
const to = (at: string | undefined, name: string) => ({ at, destination: `https://example.com/${name}` });

/** As if its time had come. */
const letCome = async ({ id }: Pick<CodeObject, 'id'>, ...places: number[]): Promise<void> => {
  for (const place of places)
    await plane.pool.query(
      `UPDATE codes SET routing = jsonb_set(routing, $2, to_jsonb($3::text)) WHERE id = $1`,
      [id, ['schedule', String(place), 'at'], `2001-01-0${place + 1}T00:00:00.000Z`],
    );
};

describe('a schedule', () => {
  test('that has come is the destination in every answer, and only what is to come is in the schedule', async () => {
    const code = await own.createCode({ schedule: [to(first, 'a'), to(second, 'b'), to(third, 'c')] });
    expect(await read(code)).toMatchObject({ destination: url, schedule: [{ at: first }, {}, {}] });
    await letCome(code, 0, 1);
    expect(await read(code)).toMatchObject({
      destination: 'https://example.com/b',
      schedule: [to(third, 'c')],
    });
    const list = codeList.parse((await own.call('GET', '/api/qr/codes?limit=1')).body);
    expect(list.data[0]).toMatchObject({ id: code.id, destination: 'https://example.com/b' });
    const lines = String((await own.call('GET', '/api/qr/codes/export?format=ndjson')).body);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual(
      expect.objectContaining({
        id: code.id,
        destination: 'https://example.com/b',
        schedule: [to(third, 'c')],
      }),
    );
  });

  test('to come stays if the destination is changed, which takes effect at once', async () => {
    const code = await own.createCode({ schedule: [to(first, 'a'), to(second, 'b')] });
    await letCome(code, 0);
    const changed = await put(code, { destination: 'https://example.com/now' });
    expect(changed).toMatchObject({ destination: 'https://example.com/now', schedule: [to(second, 'b')] });
    expect(await recordOf(code)).toMatchObject({
      destination: 'https://example.com/now',
      schedule: [{ atMs: Date.parse(second!) }],
    });
  });

  test.each([
    ['another one', [to(third, 'z')], { schedule: [to(third, 'z')] }],
    ['null', null, {}],
  ])('is replaced by %s, and the destination in effect stays', async (_, schedule, shown) => {
    const code = await own.createCode({ schedule: [to(first, 'a'), to(second, 'b')] });
    await letCome(code, 0);
    const { schedule: after, destination } = await put(code, { schedule });
    expect({ destination, schedule: after }).toEqual({
      destination: 'https://example.com/a',
      schedule: undefined,
      ...shown,
    });
    const explained = await explain(code, {});
    expect(explained.decision.location).toBe('https://example.com/a');
    expect(explained.steps.at(-2)!.reason).toContain('which its schedule set at 2001-01-01T00:00:00.000Z');
  });

  test('and destination, sent as they were read, change nothing', async () => {
    const code = await own.createCode({ schedule: [to(first, 'a'), to(second, 'b'), to(third, 'c')] });
    await letCome(code, 0, 1);
    const before = await read(code);
    const { destination, schedule } = before;
    expect(await put(code, { destination, schedule, startsAt: null })).toEqual(before);
  });

  test('that has come is what a replacement of texts finds', async () => {
    const code = await own.createCode({ data: 'https://before.example/', schedule: [to(first, 'come')] });
    await letCome(code, 0);
    const find = async (text: string) =>
      (
        await own.call('POST', '/api/qr/codes/bulk/replace', {
          find: text,
          replace: 'x',
          dryRun: true,
        })
      ).body;
    expect(await find('/come')).toMatchObject({
      changes: [
        { id: code.id, destination: 'https://example.com/come', newDestination: 'https://example.comx' },
      ],
    });
    expect(await find('before.example')).not.toMatchObject({ total: 1 });
  });

  test('is for codes of the type url only', async () => {
    const schedule = [to(first, 'a')];
    const create = await own.call('POST', '/api/qr/codes', { dataType: 'text', data: 'x', schedule });
    expect(create.status).toBe(422);
    expect(errorBody.parse(create.body).error).toMatch(/^schedule must not be given for the dataType text/);
    const code = await own.createCode({ dataType: 'text', data: 'x' });
    const update = await own.call('PUT', `/api/qr/codes/${code.id}`, { schedule });
    expect(update.status).toBe(422);
    expect(errorBody.parse(update.body).error).toMatch(/^schedule must not be given for the dataType text/);
  });
});

describe('startsAt and expiresAt', () => {
  test('are in order, whichever of them is sent', async () => {
    const code = await own.createCode({ startsAt: second, expiresAt: third });
    for (const body of [{ startsAt: third }, { expiresAt: first }, { expiresAt: second, name: 'x' }]) {
      const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, body);
      expect(answer.status).toBe(422);
      expect(errorBody.parse(answer.body).error).toMatch(/^startsAt must be before expiresAt/);
    }
    expect(await put(code, { startsAt: null, expiresAt: first })).toMatchObject({ expiresAt: first });
  });

  test('decide in explain: before the start, and after the end, people are sent to the URLs', async () => {
    const code = await own.createCode({
      startsAt: first,
      beforeStartUrl: 'https://example.com/soon',
      expiresAt: second,
      expiredUrl: 'https://example.com/over',
    });
    expect(await explain(code, { at: '2090-01-01T00:00:00Z' })).toMatchObject({
      decision: { kind: 'not_started', location: 'https://example.com/soon', status: 302 },
      decidedBy: 'start',
    });
    expect(await explain(code, { at: first! })).toMatchObject({ decision: { kind: 'redirect' } });
    expect(await explain(code, { at: second! })).toMatchObject({
      decision: { kind: 'expired', location: 'https://example.com/over', status: 302 },
      decidedBy: 'expiry',
    });
    await put(code, { beforeStartUrl: null });
    const { decision, steps } = await explain(code, {});
    expect(decision).toEqual({ kind: 'not_started', location: null, fallback: null, status: 404 });
    expect(steps.at(-1)!.reason).toBe(
      `The code starts later, at ${first}: scans get a page that says so, and 404`,
    );
  });
});

describe('further conditions', () => {
  const condition = {
    language: ['DE-ch', 'zh-hant'],
    browser: ['Chrome'],
    query: { table: '7', campaign: ['a', 'b', 'a'], preview: true },
    time: { days: ['fri'], from: '22:00', to: '02:00', timezone: 'europe/berlin' },
    after: '2030-01-01T00:00:00+01:00',
    before: '2031-01-01T00:00:00Z',
  };
  const matching = {
    language: 'de-CH,de;q=0.9',
    browser: 'chrome',
    query: 'table=7&campaign=b&preview',
    // Saturday in Berlin, in the span that began on Friday.
    at: '2030-05-10T23:59:00Z',
  };
  const rules = [{ id: 'all', condition, destination: 'https://example.com/all' }];

  test('are shown in their usual form', async () => {
    const { routingRules } = await read(await own.createCode({ routingRules: rules }));
    expect(routingRules![0]!.condition).toEqual({
      language: ['de-CH', 'zh-Hant'],
      browser: ['Chrome'],
      query: { table: ['7'], campaign: ['a', 'b'], preview: true },
      time: { days: ['fri'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' },
      after: '2029-12-31T23:00:00.000Z',
      before: '2031-01-01T00:00:00.000Z',
    });
  });

  test('must all match; explain says which one failed, and what the scan had', async () => {
    const code = await own.createCode({ routingRules: rules });
    expect(await explain(code, matching)).toMatchObject({
      scan: { browser: 'chrome', languages: ['de-ch'], query: matching.query },
      ruleId: 'all',
    });
    const failures: [Record<string, string>, object[]][] = [
      [{ language: 'de, en;q=0.8' }, [{ condition: 'language', wanted: ['de-ch', 'zh-hant'], found: 'de' }]],
      [{ browser: 'Safari' }, [{ condition: 'browser', wanted: ['chrome'], found: 'Safari' }]],
      [
        { query: 'table=8&table=7&campaign=a' },
        [
          { condition: 'query', wanted: ['table=7'], found: 'table=8' },
          { condition: 'query', wanted: ['preview with any value'], found: null },
        ],
      ],
      [
        { at: '2030-05-11T00:00:00Z' },
        [
          {
            condition: 'time',
            wanted: ['fri from 22:00 to 02:00 of the next day Europe/Berlin'],
            found: 'sat 02:00 Europe/Berlin',
          },
        ],
      ],
      [
        { at: '2029-05-11T23:00:00Z' },
        [
          {
            condition: 'after',
            wanted: ['2029-12-31T23:00:00.000Z and later'],
            found: '2029-05-11T23:00:00.000Z',
          },
        ],
      ],
    ];
    for (const [change, failed] of failures) {
      const { rules: looked } = await explain(code, { ...matching, ...change });
      expect(looked).toEqual([{ id: 'all', matches: false, failed }]);
    }
  });
});

test('after begins at its moment, and before ends at its moment', async () => {
  const [begin, end] = ['2030-01-01T00:00:00.000Z', '2030-02-01T00:00:00.000Z'];
  const code = await own.createCode({
    routingRules: [
      { id: 'span', condition: { after: begin, before: end }, destination: 'https://example.com/span' },
    ],
  });
  const ruleAt = async (at: number) =>
    (await explain(code, { at: new Date(at).toISOString() })).ruleId ?? null;
  expect(await ruleAt(Date.parse(begin) - 1)).toBeNull();
  expect(await ruleAt(Date.parse(begin))).toBe('span');
  expect(await ruleAt(Date.parse(end) - 1)).toBe('span');
  expect(await ruleAt(Date.parse(end))).toBeNull();
});

describe('the record of a code', () => {
  test('with any of the new fields has format 2, so that an earlier redirector does not ignore them', async () => {
    const bodies = [
      { routingRules: [{ condition: { language: ['de'] }, destination: url }] },
      { startsAt: first },
      { schedule: [to(first, 'a')] },
      { forwardQuery: true },
      { parameters: { a: '1' } },
      { scanIdParameter: true },
      { messages: { notStarted: { title: 'Soon' } } },
      { analytics: 'none' },
    ];
    for (const body of bodies) expect(await textOf(await own.createCode(body))).toMatch(/^1 2 \{/);
    for (const body of [
      {},
      { expiredUrl: url },
      { routingRules: [{ condition: { os: ['ios'] }, destination: url }] },
    ])
      expect(await textOf(await own.createCode(body))).toMatch(/^1 \{/);
  });

  test('says that scans of a code without analytics are not recorded', async () => {
    expect(await recordOf(await own.createCode({ analytics: 'none' }))).toMatchObject({ analytics: 'none' });
    expect(await recordOf(await own.createCode())).not.toHaveProperty('analytics');
  });

  test('has the parameters; true names the parameter of the scan’s id', async () => {
    const code = await own.createCode({
      forwardQuery: true,
      parameters: { utm_source: 'qr', utm_content: '{source}' },
      scanIdParameter: true,
    });
    expect((await recordOf(code)).parameters).toEqual({
      forward: true,
      own: expect.arrayContaining([
        ['utm_source', 'qr'],
        ['utm_content', '{source}'],
      ]),
      scanId: 'wm_sid',
    });
    expect(await read(code)).toMatchObject({ scanIdParameter: 'wm_sid' });
    expect((await explain(code, { query: 'a=1&s=x' })).decision.location).toBe(`${url}?utm_source=qr&a=1`);
  });
});
