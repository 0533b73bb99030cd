import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataTypes } from '#schemas/api/data-types.ts';
import type { CodeRecord, FurtherCondition } from '#schemas/code-record.ts';
import { devices, operatingSystems } from '#schemas/scan-event.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { type DecidingScan, type Decision, decide } from './decide.ts';

const countries = ['DE', 'FR', 'US', ''] as const;
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const tags = ['de', 'de-ch', 'en', 'zh-hant-tw'] as const;
const headers = ['', 'de-CH,de;q=0.9,en;q=0.8', 'en', 'en;q=0, de;q=0.1', 'zh-Hant-TW, de'] as const;
const queries = ['', 'a=1', 'a=1&b=2', 'b=&a=2&a=1'] as const;
const wantedQueries: NonNullable<FurtherCondition['query']>[] = [
  { a: true },
  { a: ['1'] },
  { a: ['2', '3'], b: true },
];
const further = fc.record(
  {
    language: fc.subarray([...tags], { minLength: 1 }),
    browser: fc.subarray(['chrome', 'safari'], { minLength: 1 }),
    query: fc.constantFrom(...wantedQueries),
    time: fc.record({
      days: optional(fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })),
      fromMinute: fc.constantFrom(0, 540, 1320),
      toMinute: fc.constantFrom(120, 1050, 1440),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia'),
    }),
    afterMs: fc.constantFrom(0, 1000, 2000),
    beforeMs: fc.constantFrom(0, 1000, 2000),
  },
  { requiredKeys: [] },
);
const condition = fc.record({
  country: optional(fc.subarray([...countries], { minLength: 1 })),
  device: optional(fc.subarray([...devices], { minLength: 1 })),
  os: optional(fc.subarray([...operatingSystems], { minLength: 1 })),
  further: optional(further),
});
const rule = fc.record({ id: fc.string(), condition, destination: fc.webUrl() });
const variant = fc.record({
  id: fc.string(),
  name: fc.string(),
  destination: fc.webUrl(),
  weight: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
});
const target = fc.record({
  url: fc.constantFrom('https://app.example/x', 'myapp://open/x'),
  storeUrl: optional(fc.constant('https://store.example/app')),
});
const record: fc.Arbitrary<CodeRecord> = fc.record({
  id: fc.constant('abcdefghi'),
  workspaceId: fc.constant('ws_1'),
  version: fc.constant(1),
  active: fc.boolean(),
  dataType: optional(fc.constantFrom(...dataTypes)),
  destination: fc.constant('https://example.com/destination'),
  encrypted: optional(fc.constantFrom('AES' as const, 'RSA' as const)),
  passwordProtected: optional(fc.constant(true as const)),
  startsAtMs: optional(fc.integer({ min: 985, max: 1005 })),
  beforeStartUrl: optional(fc.constant('https://example.com/soon')),
  expiresAtMs: optional(fc.integer({ min: 990, max: 1010 })),
  expiredUrl: optional(fc.constant('https://example.com/over')),
  schedule: optional(
    fc
      .uniqueArray(fc.integer({ min: 985, max: 1015 }), { maxLength: 4 })
      .map((times) =>
        times.sort((a, b) => a - b).map((atMs) => ({ atMs, destination: `https://example.com/at-${atMs}` })),
      ),
  ),
  rules: optional(fc.array(rule, { maxLength: 4 })),
  variants: optional(fc.array(variant, { maxLength: 4 })),
  deepLink: optional(fc.record({ ios: optional(target), android: optional(target) })),
});
const scan: fc.Arbitrary<DecidingScan> = fc.record({
  nowMs: fc.integer({ min: 985, max: 1015 }),
  country: fc.constantFrom(...countries),
  device: fc.constantFrom(...devices),
  os: fc.constantFrom(...operatingSystems),
  browser: fc.constantFrom('Chrome', 'Safari', 'Firefox', ''),
  asked: fc
    .record({ header: fc.constantFrom(...headers), query: fc.constantFrom(...queries) })
    .map(({ header, query }) => ({ acceptLanguage: () => header, query: () => query })),
  draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  unlocked: fc.boolean(),
});

/** Each variant repeated by its weight, in a row: the draw is an index into it. */
const slowDraw = (variants: NonNullable<CodeRecord['variants']>, draw: number) => {
  const row = variants.flatMap((one) => Array.from({ length: one.weight }, () => one));
  return row[Math.floor(draw * row.length)];
};

/** The wall clock, as Intl says it. */
const slowClock = (timeZone: string, nowMs: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(nowMs);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return {
    day: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday')),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  };
};

/** The languages of each header, the most preferred ones. */
const preferredIn: Readonly<Record<string, readonly string[]>> = {
  [headers[0]]: [],
  [headers[1]]: ['de-ch'],
  [headers[2]]: ['en'],
  [headers[3]]: ['de'],
  [headers[4]]: ['zh-hant-tw', 'de'],
};

const slowFurther = (
  { language, browser, query, time, afterMs, beforeMs }: FurtherCondition,
  by: DecidingScan,
) => {
  const parameters = new URLSearchParams(by.asked.query());
  const clock = time && slowClock(time.timeZone, by.nowMs);
  const yesterday = clock && slowClock(time.timeZone, by.nowMs - 86_400_000).day;
  const onDay = (day: number) => !time?.days || time.days.includes(day);
  const isOpen =
    !clock ||
    (time.fromMinute < time.toMinute
      ? onDay(clock.day) && clock.minute >= time.fromMinute && clock.minute < time.toMinute
      : (onDay(clock.day) && clock.minute >= time.fromMinute) ||
        (onDay(yesterday!) && clock.minute < time.toMinute));
  return (
    (!language ||
      preferredIn[by.asked.acceptLanguage()]!.some((tag) =>
        language.some((range) => tag === range || tag.startsWith(`${range}-`)),
      )) &&
    (!browser || browser.includes(by.browser.toLowerCase())) &&
    Object.entries(query ?? {}).every(([name, wanted]) =>
      wanted === true ? parameters.has(name) : wanted.includes(parameters.get(name) ?? '-'),
    ) &&
    isOpen &&
    !(afterMs !== undefined && by.nowMs < afterMs) &&
    !(beforeMs !== undefined && by.nowMs >= beforeMs)
  );
};

/** The rules as sentences, each checking everything from the beginning. */
const reference = (code: CodeRecord, by: DecidingScan): Decision => {
  const isActive = code.active;
  const hasStarted = code.startsAtMs === undefined || by.nowMs >= code.startsAtMs;
  const isAlive = code.expiresAtMs === undefined || by.nowMs < code.expiresAtMs;
  const isOpen = code.passwordProtected === undefined || by.unlocked;
  const firstRule = (code.rules ?? []).find(
    (one) =>
      (['country', 'device', 'os'] as const).every((key) => {
        const wanted: readonly string[] | undefined = one.condition[key];
        return !wanted || wanted.some((value) => value === by[key]);
      }) && slowFurther(one.condition.further ?? {}, by),
  );
  const come = (code.schedule ?? []).filter(({ atMs }) => atMs <= by.nowMs);
  const destination = come.length > 0 ? come[come.length - 1]!.destination : code.destination;
  const drawn = slowDraw(code.variants ?? [], by.draw);
  const app = { ios: code.deepLink?.ios, android: code.deepLink?.android }[by.os as 'ios'];
  const leadsSomewhere = !code.dataType || ['url', 'gs1'].includes(code.dataType);
  const traced = { ruleId: firstRule?.id ?? '', variantId: firstRule ? '' : (drawn?.id ?? '') };

  if (!isActive) return { kind: 'inactive' };
  const instead = (url: string | undefined) => (url === undefined ? {} : { url });
  if (!hasStarted) return { kind: 'not_started', ...instead(code.beforeStartUrl) };
  if (!isAlive) return { kind: 'expired', ...instead(code.expiredUrl) };
  if (!isOpen) return { kind: 'password' };
  if (code.encrypted) {
    return {
      kind: 'encrypted',
      jwe: code.destination,
      by: code.encrypted,
      dataType: code.dataType ?? 'url',
      ruleId: '',
      variantId: '',
    };
  }
  if (firstRule) return { kind: 'redirect', location: firstRule.destination, ...traced };
  if (app?.url.startsWith('https:')) return { kind: 'redirect', location: app.url, ...traced };
  const location = drawn ? drawn.destination : leadsSomewhere ? destination : undefined;
  if (app) return { kind: 'app', target: app, fallback: location, ...traced };
  if (location) return { kind: 'redirect', location, ...traced };
  return { kind: 'content', dataType: code.dataType!, payload: destination, ...traced };
};

test('for every record and scan, the decision follows the rules', () => {
  fc.assert(
    fc.property(record, scan, (code, by) => {
      expect(decide(code, by)).toEqual(reference(code, by));
    }),
    { numRuns: 20_000 },
  );
});

const plain = sampleRecord();
const anyone: DecidingScan = {
  nowMs: 0,
  country: '',
  device: 'mobile',
  os: 'ios',
  browser: '',
  asked: { acceptLanguage: () => '', query: () => '' },
  draw: 0,
  unlocked: false,
};

describe('routing rules', () => {
  const rules = [
    { id: 'de', condition: { country: ['DE', 'AT'] }, destination: 'https://example.de/' },
    {
      id: 'phones',
      condition: { device: ['mobile' as const], os: ['ios' as const] },
      destination: 'https://m.example/',
    },
  ];

  test('the first matching rule decides; every key of its condition must match', () => {
    const lead = (changes: Partial<DecidingScan>) => decide({ ...plain, rules }, { ...anyone, ...changes });
    expect(lead({ country: 'AT' })).toMatchObject({ location: 'https://example.de/', ruleId: 'de' });
    expect(lead({ country: 'FR' })).toMatchObject({ location: 'https://m.example/', ruleId: 'phones' });
    expect(lead({ os: 'android' })).toMatchObject({ location: 'https://example.com/', ruleId: '' });
  });
});

test('traffic is split by weight; each scan goes to one variant', () => {
  const variants = [
    { id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 },
    { id: 'never', name: 'N', destination: 'https://n.example/', weight: 0 },
    { id: 'b', name: 'B', destination: 'https://b.example/', weight: 3 },
  ];
  const counts: Record<string, number> = {};
  for (let i = 0; i < 4000; i++) {
    const decision = decide({ ...plain, variants }, { ...anyone, draw: i / 4000 });
    if (decision.kind === 'redirect') counts[decision.variantId] = (counts[decision.variantId] ?? 0) + 1;
  }
  expect(counts).toEqual({ a: 1000, b: 3000 });
});

test('a code expires at the exact millisecond of expiresAt', () => {
  const code = { ...plain, expiresAtMs: 1000 };
  expect(decide(code, { ...anyone, nowMs: 999 }).kind).toBe('redirect');
  expect(decide(code, { ...anyone, nowMs: 1000 }).kind).toBe('expired');
});
