import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { ClientError } from '#shared/errors.ts';
import { startTestRedis } from '../../../../deploy/testing/index.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createPasswords } from './passwords.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const right = 'open sésame';
const locked = (from = own) => from.createCode({ secure: ['password'], password: right });

const unlock = (code: Pick<CodeObject, 'id'>, password: unknown, address = '192.0.2.1', on = plane) =>
  on.internal('POST', `/internal/codes/${code.id}/unlock`, { password, address });

const statuses = async (tries: Iterable<() => Promise<{ status: number }>>): Promise<number[]> => {
  const seen: number[] = [];
  for (const one of tries) seen.push((await one()).status);
  return seen;
};

describe('POST /internal/codes/{id}/unlock', () => {
  test('answers 204 for the right password and 401 for a wrong one', async () => {
    const code = await locked();
    expect((await unlock(code, right)).status).toBe(204);
    expect((await unlock(code, right.normalize('NFD'))).status).toBe(204);
    for (const wrong of ['', 'open sesame', `${right} `, 'x'.repeat(4_000), '\u0000'])
      expect((await unlock(code, wrong)).status).toBe(401);
  });

  test('answers 404 where there is no password or no code', async () => {
    expect((await unlock(await own.createCode(), right)).status).toBe(404);
    for (const id of ['111111111', 'nonsense', '%00']) expect((await unlock({ id }, right)).status).toBe(404);
  });

  test('follows the password that is set', async () => {
    const code = await locked();
    await own.call('PUT', `/api/qr/codes/${code.id}`, { password: 'another one' });
    expect(await statuses([() => unlock(code, right), () => unlock(code, 'another one')])).toEqual([
      401, 204,
    ]);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { password: null });
    expect((await unlock(code, 'another one')).status).toBe(404);
  });

  test('ten wrong attempts a minute per address and code: then 429 with Retry-After, for the right one too', async () => {
    const code = await locked();
    expect(await statuses(Array.from({ length: 10 }, () => () => unlock(code, 'wrong')))).toEqual(
      Array.from({ length: 10 }, () => 401),
    );
    const refused = await unlock(code, right);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await unlock(code, right, '192.0.2.2')).status).toBe(204);
    expect((await unlock(await locked(), right)).status).toBe(204);
  });

  test('right passwords cost no attempt', async () => {
    const code = await locked();
    await statuses(Array.from({ length: 9 }, () => () => unlock(code, 'wrong')));
    expect(await statuses(Array.from({ length: 4 }, () => () => unlock(code, right)))).toEqual(
      Array.from({ length: 4 }, () => 204),
    );
    expect(await statuses([() => unlock(code, 'wrong'), () => unlock(code, 'wrong')])).toEqual([401, 429]);
  });

  test('sixty attempts a minute per address over all codes, right ones too: then 429 with Retry-After', async () => {
    const codes = await Promise.all(Array.from({ length: 7 }, () => locked()));
    const tries = codes.flatMap((code) =>
      Array.from({ length: 9 }, () => () => unlock(code, right, '192.0.2.60')),
    );
    expect(await statuses(tries)).toEqual([...Array(60).fill(204), 429, 429, 429]);
    const refused = await unlock(await locked(), right, '192.0.2.60');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await unlock(codes[0]!, right, '192.0.2.61')).status).toBe(204);
  });

  test('attempts at the same time do not all pass; neighbours in a /64 are one sender', async () => {
    const code = await locked();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => unlock(code, 'wrong', `2001:db8:1:2::${n.toString(16)}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('needs the internal token, while metrics and health need none', async () => {
    for (const path of ['/metrics', '/health/live', '/health/ready'])
      expect((await fetch(plane.internalUrl + path)).status).toBe(200);
  });

  test('is refused without the internal token, and for another body', async () => {
    const code = await locked();
    const refused = await plane.internal(
      'POST',
      `/internal/codes/${code.id}/unlock`,
      {},
      { authorization: 'Bearer x' },
    );
    expect(refused.status).toBe(403);
    expect((await unlock(code, 5)).status).toBe(400);
    expect(
      (await plane.internal('POST', `/internal/codes/${code.id}/unlock`, { password: right })).status,
    ).toBe(400);
  });

  test('counts in this process while Redis is away', async () => {
    const server = await startTestRedis();
    const other = await startTestControlPlane({ redisUrl: server.url });
    const code = await locked(await other.workspace());
    await server.stop();
    expect((await unlock(code, right, '192.0.2.1', other)).status).toBe(204);
    const wrong = Array.from({ length: 11 }, () => () => unlock(code, 'wrong', '192.0.2.1', other));
    expect((await statuses(wrong)).slice(-2)).toEqual([401, 429]);
    await other.close();
  }, 30_000);
});

describe('a flood of passwords', () => {
  test('is refused beyond the queue, and those that wait are answered', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2, waitMsMax: 10_000 });
    const hash = await passwords.hash('open sesame', 'ws');
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => passwords.verify(hash, 'x', `192.0.2.${n}`)),
    );
    const refusals = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals).toHaveLength(47);
    expect(refusals.every((error) => error instanceof ClientError && error.code === 'UNAVAILABLE')).toBe(
      true,
    );
  });

  test('from one address keeps no other out, whether they are right or wrong', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => locked()));
    const flood = codes.flatMap((code) =>
      Array.from({ length: 10 }, (_, n) => unlock(code, n % 2 ? right : 'wrong', '192.0.2.70')),
    );
    expect((await unlock(codes[0]!, right, '192.0.2.71')).status).toBe(204);
    const seen = new Set((await Promise.all(flood)).map(({ status }) => status));
    // An address that has tried often has 16 places, which it shares with others like it.
    expect([...seen].sort()).toEqual([204, 401, 429, 503]);
  });

  test('from addresses that try again and again is behind an address that tries for the first time', async () => {
    const code = await locked();
    const addresses = Array.from({ length: 12 }, (_, n) => `203.0.113.${n}`);
    const tries = addresses.flatMap((address) => Array<string>(5).fill(address));
    for (const address of tries) expect((await unlock(code, 'wrong', address)).status).toBe(401);
    const ended: string[] = [];
    const flood = addresses.map(async (address) => {
      await unlock(code, 'wrong', address);
      ended.push(address);
    });
    expect((await unlock(code, right, '203.0.113.200')).status).toBe(204);
    expect(ended.length).toBeLessThan(5);
    await Promise.all(flood);
  });

  test('over HTTP gets 401, 429 and 503 and leaves the process free for others', async () => {
    const code = await locked();
    let worstMs = 0;
    let flooding = true;
    const others = async (): Promise<void> => {
      while (flooding) {
        const startedMs = performance.now();
        expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(200);
        worstMs = Math.max(worstMs, performance.now() - startedMs);
        await sleep(5);
      }
    };
    const watching = others();
    const flood = await Promise.all(
      Array.from({ length: 200 }, (_, n) => unlock(code, 'wrong', `198.51.${n % 100}.7`)),
    );
    flooding = false;
    await watching;
    const seen = new Set(flood.map(({ status }) => status));
    expect([...seen].every((status) => [401, 429, 503].includes(status))).toBe(true);
    expect(seen.has(503)).toBe(true);
    expect(worstMs).toBeLessThan(3_000);
    // A try that nobody looked at was no try.
    const busy = flood.findIndex(({ status }) => status === 503);
    expect((await unlock(code, right, `198.51.${busy % 100}.7`)).status).toBe(204);
  }, 30_000);
});
