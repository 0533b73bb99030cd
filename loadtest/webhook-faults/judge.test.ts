import { describe, expect, test } from 'vitest';
import type { Seen } from '../receivers/messages.ts';
import { type Evidence, faultsIn, judge, type Logged } from './judge.ts';

const request = (outcome: Seen['outcome'], atMs: number, changes: Partial<Seen> = {}): Seen => ({
  id: 'dlv_1',
  endpoint: 'one',
  atMs,
  doneMs: atMs + 10,
  outcome,
  digest: 'bytes',
  eventId: 'evt_1',
  type: 'qr.created',
  codeId: 'code1',
  createdAtMs: 0,
  fault: null,
  ...changes,
});
const attempt = (status: number | null, error: string | null = null) => ({ status, error });
const log = (changes: Partial<Logged> = {}): Logged => ({
  id: 'dlv_1',
  endpoint: 'one',
  eventId: 'evt_1',
  state: 'succeeded',
  attempts: [attempt(500), attempt(200)],
  ...changes,
});
const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  codeIds: ['code1'],
  endpoints: ['one'],
  logged: [log()],
  seen: [request(500, 1_000), request(200, 31_000)],
  disturbances: [],
  ...changes,
});
const kill = { fromMs: 31_500, toMs: 31_500 };
const failures = Array.from({ length: 6 }, () => attempt(500));
const failed = failures.map((_, n) => request(500, n));

describe('a run is without a fault', () => {
  test.each([
    ['if the log has each request', {}],
    [
      'if a request that the log does not have was just answered at a kill',
      { seen: [request(500, 1_000), request(200, 31_000), request(200, 32_000)], disturbances: [kill] },
    ],
    [
      'if an attempt that ends behind the success of another process is noted behind it',
      { logged: [log({ attempts: [attempt(200), attempt(500)] })] },
    ],
    [
      'if an attempt found no receiver, and the log says so',
      {
        logged: [
          log({ attempts: [attempt(null, 'the connection was refused'), attempt(500), attempt(200)] }),
        ],
      },
    ],
    [
      'if a connection was reset, and the log says so',
      {
        logged: [log({ attempts: [attempt(null, 'the connection was reset'), attempt(200)] })],
        seen: [request('reset', 1_000), request(200, 31_000)],
      },
    ],
  ] satisfies [string, Partial<Evidence>][])('%s', (_, changes) => {
    expect(faultsIn(judge(evidence(changes)))).toEqual([]);
  });
});

test.each([
  ['a code of which an endpoint was not told', { codeIds: ['code1', 'code2'] }, '1 events that an endpoint'],
  ['an endpoint that was told nothing', { endpoints: ['one', 'two'] }, '1 events that an endpoint'],
  [
    'a wrong signature',
    { seen: [request(500, 0, { fault: 'No matching signature found' }), request(200, 1)] },
    '1 requests with a wrong signature',
  ],
  [
    'other bytes',
    { seen: [request(500, 0, { digest: 'others' }), request(200, 1)] },
    '1 deliveries whose rep',
  ],
  [
    'an event under two ids',
    {
      logged: [log(), log({ id: 'dlv_2' })],
      seen: [
        request(500, 0),
        request(200, 1),
        request(500, 2, { id: 'dlv_2' }),
        request(200, 3, { id: 'dlv_2' }),
      ],
    },
    '1 events that came to one endpoint under two ids',
  ],
  ['a delivery in the log twice', { logged: [log(), log()] }, '1 deliveries that are in the log twice'],
  [
    'a request of a delivery that is not in the log',
    { seen: [request(500, 0), request(200, 1), request(200, 2, { id: 'dlv_9', eventId: 'evt_9' })] },
    '1 requests of a delivery that the log does not have',
  ],
  [
    'a request that is not in the log',
    { seen: [request(500, 0), request(200, 1), request(500, 2)] },
    '1 requests that the log does not have, and',
  ],
  [
    'a request that is not in the log, long before a kill',
    { seen: [request(500, 1_000), request(500, 2_000), request(200, 31_000)], disturbances: [kill] },
    '1 requests that the log does not have, and',
  ],
  ['an attempt that nobody saw', { seen: [request(200, 1)] }, '1 attempts in the log that no receiver'],
  [
    'an attempt without an answer that does not say why',
    { logged: [log({ attempts: [attempt(null), attempt(500), attempt(200)] })] },
    '1 attempts in the log that no receiver',
  ],
  [
    'a delivery that is pending',
    { logged: [log({ state: 'pending' as const, attempts: [attempt(500)] })], disturbances: [kill] },
    '1 deliveries that are not finished',
  ],
  [
    'a delivery that failed before its last attempt',
    {
      logged: [log({ state: 'failed' as const, attempts: failures.slice(1) })],
      seen: [...failed.slice(1), request(200, 31_000)],
      disturbances: [kill],
    },
    '1 deliveries whose status is not',
  ],
  [
    'a delivery that failed, with an answer of success',
    {
      logged: [log({ state: 'failed' as const, attempts: [...failures.slice(1), attempt(200)] })],
      seen: [...failed.slice(1), request(200, 31_000)],
    },
    '1 deliveries whose status is not',
  ],
  [
    'a delivery that is said to have succeeded, and was refused',
    { logged: [log({ attempts: [attempt(500)] })], disturbances: [kill] },
    '1 deliveries whose status is not',
  ],
] satisfies [string, Partial<Evidence>, string][])('%s: a fault', (_, changes, message) => {
  expect(faultsIn(judge(evidence(changes)))).toEqual([expect.stringContaining(message)]);
});

test('a delivery that failed six times is no fault of the log, and its event is not delivered', () => {
  const judgement = judge(evidence({ logged: [log({ state: 'failed', attempts: failures })], seen: failed }));
  expect(faultsIn(judgement)).toEqual(['1 events that an endpoint has never taken']);
});
