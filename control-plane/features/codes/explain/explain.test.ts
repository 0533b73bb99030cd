import fc from 'fast-check';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ScheduleEntry } from '#schemas/api/code-routing.ts';
import { dataTypes } from '#schemas/api/data-types.ts';
import { type CodeExplanation, codeExplainQuery, codeExplanation } from '#schemas/api/explain.ts';
import type { RoutingConditionBody as Condition } from '#schemas/api/routing-conditions.ts';
import { capHistoryKey, capKey } from '#schemas/code-record.ts';
import { devices, operatingSystems } from '#schemas/scan-event.ts';
import { decide } from '#shared/decide/decide.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { toRecord } from '../record.ts';
import type { Code } from '../store/code.ts';
import { explain } from './explain.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const ask = async (body: object, query = ''): Promise<CodeExplanation> => {
  const code = await own.createCode(body);
  const answer = await own.call('GET', `/api/qr/codes/${code.id}/explain?${query}`);
  expect(answer.status).toBe(200);
  return codeExplanation.parse(answer.body);
};

const url = 'https://example.com/';
/** Leaves the counter as redirectors do: see their scripts. */
const spend = async (id: string, scans: number): Promise<void> => {
  const redis = new Redis(plane.redisUrl);
  const history = /master_replid:(\w+)/.exec(await redis.info('replication'))![1]!;
  await redis.mset(capKey(id, 1), scans, capHistoryKey(capKey(id, 1)), history);
  redis.disconnect();
};

const iphone = encodeURIComponent(
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
);
const rules = [
  { id: 'de', condition: { country: ['DE', 'AT'], os: ['ios'] }, destination: 'https://example.de/' },
  { id: 'phones', condition: { device: ['mobile'] }, destination: 'https://m.example.com/' },
];

describe('GET /api/qr/codes/{id}/explain', () => {
  test('returns the decision, the rule, and why', async () => {
    const explained = await ask({ routingRules: rules }, `country=fr&userAgent=${iphone}`);
    expect(explained).toMatchObject({
      scan: { country: 'FR', device: 'mobile', os: 'ios', counts: true },
      decision: { kind: 'redirect', location: 'https://m.example.com/' },
      decidedBy: 'routing',
      ruleId: 'phones',
      variants: [],
      rules: [
        { id: 'de', matches: false, failed: [{ condition: 'country', wanted: ['DE', 'AT'], found: 'FR' }] },
        { id: 'phones', matches: true, failed: [] },
      ],
    });
    expect(explained.steps.map(({ step }) => step)).toEqual([
      'status',
      'expiry',
      'password',
      'encryption',
      'routing',
      'cap',
    ]);
    expect(explained.steps.at(-2)?.reason).toBe(
      'The rule phones is the first that matches (de: country is FR, not DE or AT)',
    );
  });

  test('device and os override the user agent; anything not given is unknown', async () => {
    const explained = await ask({ routingRules: rules }, `userAgent=${iphone}&device=desktop&os=linux`);
    expect(explained).toMatchObject({
      scan: { country: null, device: 'desktop', os: 'linux' },
      decision: { kind: 'redirect', location: url },
      decidedBy: 'destination',
      ruleId: null,
    });
    expect(explained.steps.find(({ step }) => step === 'routing')?.reason).toBe(
      'No rule matches (de: country is unknown, not DE or AT; os is linux, not ios. phones: device is desktop, not mobile)',
    );
  });

  test('a campaign: the share of each variant', async () => {
    const variants = [
      { id: 'a', name: 'A', destination: 'https://example.com/a', weight: 3 },
      { id: 'b', name: 'B', destination: 'https://example.com/b', weight: 1 },
      { id: 'c', name: 'C', destination: 'https://example.com/c', weight: 0 },
    ];
    const explained = await ask({ campaign: { status: 'active', variants } });
    expect(explained.decision).toEqual({ kind: 'redirect', location: null, fallback: null, status: 302 });
    expect(explained.variants.map(({ id, share, decision }) => [id, share, decision?.location])).toEqual([
      ['a', 0.75, 'https://example.com/a'],
      ['b', 0.25, 'https://example.com/b'],
      ['c', 0, undefined],
    ]);
    const paused = await ask({ campaign: { status: 'paused', variants } });
    expect(paused).toMatchObject({ decision: { location: url }, variants: [] });
    expect(paused.steps.find(({ step }) => step === 'campaign')?.reason).toBe('The campaign is paused');
  });

  test.each([
    [
      [0, 1],
      [null, 'https://example.com/1'],
    ],
    [
      [1, 0],
      ['https://example.com/0', null],
    ],
    [
      [0, 3, 0, 1, 0],
      [null, 'https://example.com/1', null, 'https://example.com/3', null],
    ],
  ])(
    'variants with the weights %j lead to %j: a variant that no scan reaches leads nowhere',
    async (weights, locations) => {
      const variants = weights.map((weight, n) => ({ destination: `https://example.com/${n}`, weight }));
      const explained = await ask({ campaign: { status: 'active', variants } });
      expect(explained.variants.map(({ decision }) => decision?.location ?? null)).toEqual(locations);
      const reached = new Set(locations.filter((location) => location !== null));
      expect(explained.decision.location).toBe(reached.size === 1 ? [...reached][0] : null);
    },
  );

  test('a deep link: of https and of the app’s own scheme', async () => {
    const deepLinkConfig = {
      ios: { url: 'https://app.example/x' },
      android: { url: 'myapp://x', playStoreUrl: 'https://play.google.com/store/apps/details?id=x' },
    };
    expect(await ask({ deepLinkConfig }, 'os=ios')).toMatchObject({
      decision: { kind: 'redirect', location: 'https://app.example/x' },
      decidedBy: 'deepLink',
    });
    expect(await ask({ deepLinkConfig }, 'os=android')).toMatchObject({
      decision: {
        kind: 'app',
        location: 'myapp://x',
        fallback: 'https://play.google.com/store/apps/details?id=x',
      },
    });
  });

  test('expiry is decided at the given moment; a password decides until it is entered', async () => {
    const expiresAt = '2099-01-01T00:00:00.000Z';
    expect(await ask({ expiresAt }, 'at=2098-12-31T23:59:59.999Z')).toMatchObject({
      decidedBy: 'destination',
    });
    expect(await ask({ expiresAt }, `at=${expiresAt}`)).toMatchObject({
      at: expiresAt,
      decision: { kind: 'expired' },
      decidedBy: 'expiry',
    });
    const secret = { secure: ['password'], password: 'open sesame' };
    expect(await ask(secret)).toMatchObject({ decision: { kind: 'password' }, decidedBy: 'password' });
    expect(await ask(secret, 'unlocked=true')).toMatchObject({ decision: { kind: 'redirect' } });
  });

  test('the cap comes last, from the counter of the redirectors, and is 410 when it is reached', async () => {
    const code = await own.createCode({ maxScans: 2, secure: ['password'], password: 'open sesame' });
    const explained = async (query: string) =>
      codeExplanation.parse((await own.call('GET', `/api/qr/codes/${code.id}/explain?${query}`)).body);
    const before = await explained('unlocked=true');
    expect(before).toMatchObject({
      decision: { kind: 'redirect', location: url, status: 303 },
      decidedBy: 'destination',
      cap: { max: 2, taken: 0, exact: false },
    });
    expect(before.steps.at(-1)).toEqual({
      step: 'cap',
      decided: false,
      reason: 'About 0 of 2 scans are taken, by what was recorded: the counter cannot be read just now',
    });
    await spend(code.id, 2);
    const after = await explained('unlocked=true');
    expect(after).toMatchObject({
      decision: { kind: 'capped', location: null, fallback: null, status: 410 },
      decidedBy: 'cap',
      cap: { max: 2, taken: 2, exact: true },
    });
    expect(after.steps.slice(-2)).toEqual([
      { step: 'destination', decided: false, reason: "Scans go to the code's destination" },
      { step: 'cap', decided: true, reason: 'All 2 scans are taken: scans get a page that says so, and 410' },
    ]);
    // A scan without the password does not reach the cap.
    expect(await explained('')).toMatchObject({
      decision: { kind: 'password', status: 200 },
      decidedBy: 'password',
    });
  });

  test('crawlers are answered and do not count; the answer has the cap', async () => {
    expect(await ask({ maxScans: 9 }, 'userAgent=curl/8.5.0')).toMatchObject({
      scan: { device: 'bot', counts: false },
      maxScans: 9,
      decision: { kind: 'redirect' },
    });
  });

  test.each([
    'country=XX',
    'country=DEU',
    'device=phone',
    'os=iOS',
    'at=tomorrow',
    'at=9e99',
    `language=${'x'.repeat(501)}`,
    `browser=${'x'.repeat(65)}`,
    `query=${'x'.repeat(4001)}`,
    'unlocked=yes',
  ])('%s answers 400 naming the parameter', async (query) => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/explain?${query}`);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(query.slice(0, query.indexOf('=')));
  });

  test('403 for another workspace’s code, 404 for an unknown one', async () => {
    const foreign = await (await plane.workspace()).createCode();
    expect((await own.call('GET', `/api/qr/codes/${foreign.id}/explain`)).status).toBe(403);
    expect((await own.call('GET', '/api/qr/codes/111111111/explain')).status).toBe(404);
  });
});

test('the explanation matches the redirector’s decision for any code and scan', () => {
  const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const soon = '1970-01-01T00:00:01.000Z';
  const routing = fc.record(
    {
      startsAt: fc.constant(soon),
      beforeStartUrl: fc.constant('https://example.com/soon'),
      expiredUrl: fc.constant('https://example.com/over'),
      schedule: fc.constantFrom<ScheduleEntry[]>([{ at: soon, destination: 'https://example.com/later' }]),
    },
    { requiredKeys: [] },
  );
  const condition = fc.record(
    {
      language: fc.constantFrom<string[]>(['de'], ['fr', 'de-CH']),
      browser: fc.constantFrom<string[]>(['Chrome']),
      query: fc.constantFrom<NonNullable<Condition['query']>>({ a: true }, { a: ['1'], b: ['2'] }),
      time: fc.constantFrom<NonNullable<Condition['time']>>(
        { from: '00:00', to: '00:30', timezone: 'UTC' },
        { days: ['fri'], timezone: 'Europe/Berlin' },
      ),
      after: fc.constant(soon),
      before: fc.constant(soon),
      country: fc.subarray(['DE', 'FR'], { minLength: 1 }),
      device: fc.subarray([...devices], { minLength: 1 }),
      os: fc.subarray([...operatingSystems], { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const code: fc.Arbitrary<Code> = fc.record({
    id: fc.constant('abcdefghi'),
    workspaceId: fc.constant('ws_1'),
    seq: fc.constant('1'),
    name: fc.constant(null),
    tags: fc.constant([]),
    tagIds: fc.constant('{}'),
    folderId: fc.constant(null),
    archived: fc.constant(false),
    importId: fc.constant(null),
    importedScanCount: fc.constant(null),
    suspendedAt: fc.constantFrom(null, new Date(0)),
    suspensionReason: fc.constant(null),
    healthCheck: fc.constant(false),
    destinationHealth: fc.constant(null),
    lastScannedAt: fc.constant(null),
    version: fc.constant(1),
    recordVersion: fc.constant(1),
    createdAt: fc.constant(new Date(0)),
    updatedAt: fc.constant(new Date(0)),
    complianceLocked: fc.boolean(),
    legalHold: fc.constant(false),
    sources: fc.constant(null),
    externalId: fc.constant(null),
    metadata: fc.constant(null),
    notes: fc.constant(null),
    createdBy: fc.constant(null),
    messages: fc.constant(null),
    routing: orNull(routing),
    analytics: fc.constant('full'),
    dataType: fc.constantFrom(...dataTypes),
    destination: fc.constant(url),
    status: fc.constantFrom('active', 'active', 'inactive'),
    passwordProtected: fc.boolean(),
    encryption: fc.constantFrom(null, null, null, 'AES', 'RSA'),
    expiresAt: orNull(fc.constantFrom(new Date(1_000), new Date(2_000))),
    maxScans: fc.constant(null),
    linkBase: fc.constant(null),
    capEpoch: fc.constant(null),
    routingRules: orNull(
      fc.array(
        fc.record({
          id: fc.constantFrom('x', 'y'),
          condition,
          destination: fc.constant('https://example.com/rule'),
        }),
        {
          maxLength: 3,
        },
      ),
    ),
    campaign: orNull(
      fc
        .record({
          status: fc.constantFrom('active', 'paused'),
          variants: fc.array(
            fc.record({
              id: fc.constantFrom('a', 'b'),
              name: fc.constant('n'),
              destination: fc.constantFrom('https://example.com/a', 'https://example.com/b'),
              weight: fc.integer({ min: 0, max: 5 }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        })
        .filter(({ variants }) => variants.some(({ weight }) => weight > 0)),
    ),
    deepLinkConfig: orNull(
      fc.record(
        {
          ios: fc.constantFrom({ url: 'https://app.example/x' }, { url: 'myapp://x' }),
          android: fc.constantFrom({ url: 'https://app.example/x' }, { url: 'myapp://x' }),
        },
        { requiredKeys: [] },
      ),
    ),
  });
  const query = fc.record({
    country: optional(fc.constantFrom('DE', 'FR')),
    device: optional(fc.constantFrom(...devices)),
    os: optional(fc.constantFrom(...operatingSystems)),
    language: optional(fc.constantFrom('de-CH,en;q=0.9', 'fr')),
    browser: optional(fc.constantFrom('chrome', 'Safari')),
    query: optional(fc.constantFrom('a=1&b=2', 'a=3')),
    unlocked: fc.constantFrom('true', 'false'),
    at: fc.constantFrom('500', '1000', '1500', '2500'),
  });
  const locationOf = (decision: ReturnType<typeof decide>) => {
    if (decision.kind === 'redirect') return decision.location;
    if ('url' in decision) return decision.url;
    return decision.kind === 'app' ? decision.target.url : null;
  };
  fc.assert(
    fc.property(
      code,
      query,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (given, asked, draw) => {
        const parsed = codeExplainQuery.parse(JSON.parse(JSON.stringify(asked)));
        const explained = codeExplanation.parse(explain(given, parsed, new Date(), null));
        const decision = decide(toRecord(given), {
          nowMs: parsed.at ?? 0,
          country: parsed.country ?? '',
          device: explained.scan.device,
          os: explained.scan.os,
          browser: parsed.browser ?? '',
          asked: { acceptLanguage: () => parsed.language ?? '', query: () => parsed.query ?? '' },
          unlocked: parsed.unlocked,
          draw,
        });
        expect(explained.decision.kind).toBe(decision.kind);
        const possible =
          explained.variants.length > 0
            ? explained.variants.flatMap((variant) => (variant.decision ? [variant.decision.location] : []))
            : [explained.decision.location];
        for (const variant of explained.variants) expect(variant.decision === null).toBe(variant.share === 0);
        expect(possible).toContain(locationOf(decision));
        const isRouted = decision.kind === 'redirect' && decision.ruleId !== '';
        expect(explained.decidedBy === 'routing').toBe(isRouted);
        expect(explained.ruleId ?? '').toBe('ruleId' in decision ? decision.ruleId : '');
        expect(explained.steps.filter(({ decided }) => decided).map(({ step }) => step)).toEqual([
          explained.decidedBy,
        ]);
        if (explained.variants.length > 0)
          expect(explained.variants.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
        const byKind: Record<string, string[]> = {
          inactive: ['status'],
          suspended: ['status'],
          not_started: ['start'],
          expired: ['expiry'],
          password: ['password'],
          encrypted: ['encryption'],
          redirect: ['routing', 'deepLink', 'destination'],
          app: ['deepLink'],
          content: ['destination'],
        };
        expect(byKind[decision.kind]).toContain(explained.decidedBy);
      },
    ),
    { numRuns: 2_000 },
  );
});
