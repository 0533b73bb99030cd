import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { ClientError } from '#shared/errors.ts';
import { startTestRedis } from '../../../../deploy/testing/redis.ts';
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

const enter = (code: Pick<CodeObject, 'id'>, password: unknown, address = '192.0.2.1', on = plane) =>
  on.internal('POST', `/internal/codes/${code.id}/unlock`, { password, address });

const statuses = async (tries: Iterable<() => Promise<{ status: number }>>): Promise<number[]> => {
  const seen: number[] = [];
  for (const one of tries) seen.push((await one()).status);
  return seen;
};

describe('POST /internal/codes/{id}/unlock', () => {
  test('answers 204 for the right password and 401 for a wrong one', async () => {
    const code = await locked();
    expect((await enter(code, right)).status).toBe(204);
    expect((await enter(code, right.normalize('NFD'))).status).toBe(204);
    for (const wrong of ['', 'open sesame', `${right} `, 'x'.repeat(4_000), '\u0000'])
      expect((await enter(code, wrong)).status).toBe(401);
  });

  test('answers 404 if there is no password or no code', async () => {
    expect((await enter(await own.createCode(), right)).status).toBe(404);
    for (const id of ['111111111', 'nonsense', '%00']) expect((await enter({ id }, right)).status).toBe(404);
  });

  test('follows changes of the password', async () => {
    const code = await locked();
    await own.call('PUT', `/api/qr/codes/${code.id}`, { password: 'another one' });
    expect(await statuses([() => enter(code, right), () => enter(code, 'another one')])).toEqual([401, 204]);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { password: null });
    expect((await enter(code, 'another one')).status).toBe(404);
  });

  test('allows ten wrong attempts a minute per address and code, then answers 429 with Retry-After, even for the right one', async () => {
    const code = await locked();
    const begunMs = performance.now();
    expect(await statuses(Array.from({ length: 10 }, () => () => enter(code, 'wrong')))).toEqual(
      Array.from({ length: 10 }, () => 401),
    );
    const refused = await enter(code, right);
    expect(refused.status).toBe(429);
    const passedSeconds = (performance.now() - begunMs) / 1000;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60 - passedSeconds);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await enter(code, right, '192.0.2.2')).status).toBe(204);
    expect((await enter(await locked(), right)).status).toBe(204);
  });

  test('right passwords cost no attempt', async () => {
    const code = await locked();
    await statuses(Array.from({ length: 9 }, () => () => enter(code, 'wrong')));
    expect(await statuses(Array.from({ length: 4 }, () => () => enter(code, right)))).toEqual(
      Array.from({ length: 4 }, () => 204),
    );
    expect(await statuses([() => enter(code, 'wrong'), () => enter(code, 'wrong')])).toEqual([401, 429]);
  });

  test('allows sixty attempts a minute per address over all codes, including right ones, then answers 429 with Retry-After', async () => {
    const [open, ...codes] = [await own.createCode(), await locked(), await locked()];
    const tries = (code: Pick<CodeObject, 'id'>, count: number) =>
      Array.from({ length: count }, () => () => enter(code, right, '192.0.2.60'));
    // An attempt at a code without a password costs no hash.
    expect(await statuses(tries(open, 50))).toEqual(Array(50).fill(404));
    expect(await statuses(codes.flatMap((code) => tries(code, 5)))).toEqual(Array(10).fill(204));
    expect(await statuses(tries(codes[0]!, 3))).toEqual([429, 429, 429]);
    const refused = await enter(await locked(), right, '192.0.2.60');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await enter(codes[0]!, right, '192.0.2.61')).status).toBe(204);
  });

  test('concurrent attempts do not all pass; neighbours in a /64 are one sender', async () => {
    const code = await locked();
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => enter(code, 'wrong', `2001:db8:1:2::${n.toString(16)}`)),
    );
    const seen = answers.map(({ status }) => status);
    expect(seen.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(seen).toContain(429);
    // On a busy machine some wait too long.
    expect([401, 429, 503]).toEqual(expect.arrayContaining(seen));
  });

  test('needs the internal token, while metrics and health need none', async () => {
    for (const path of ['/metrics', '/health/live', '/health/ready'])
      expect((await fetch(plane.internalUrl + path)).status).toBe(200);
  });

  test('is refused without the internal token, and for any other body', async () => {
    const code = await locked();
    const refused = await plane.internal(
      'POST',
      `/internal/codes/${code.id}/unlock`,
      {},
      { authorization: 'Bearer x' },
    );
    expect(refused.status).toBe(403);
    expect((await enter(code, 5)).status).toBe(400);
    expect(
      (await plane.internal('POST', `/internal/codes/${code.id}/unlock`, { password: right })).status,
    ).toBe(400);
  });

  test('counts in this process while Redis is away', async () => {
    const server = await startTestRedis();
    const other = await startTestControlPlane({ redisUrl: server.url });
    const code = await locked(await other.workspace());
    await server.stop();
    expect((await enter(code, right, '192.0.2.1', other)).status).toBe(204);
    const wrong = Array.from({ length: 11 }, () => () => enter(code, 'wrong', '192.0.2.1', other));
    expect((await statuses(wrong)).slice(-2)).toEqual([401, 429]);
    await other.close();
  });
});

describe('a flood of passwords', () => {
  /** Often enough to make them wait behind others. An attempt at a code without a password costs no hash. */
  const tryOften = async (addresses: readonly string[]): Promise<void> => {
    const open = await own.createCode();
    for (let tries = 0; tries < 5; tries++)
      await Promise.all(addresses.map((address) => enter(open, 'wrong', address)));
  };

  test('is refused beyond the queue, and waiting attempts are answered', async () => {
    const passwords = createPasswords({ runningMax: 1, waitingMax: 2, waitMsMax: 60_000 });
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

  test('from one address keeps no other address out, whether right or wrong', async () => {
    const codes: CodeObject[] = [];
    for (let n = 0; n < 8; n++) codes.push(await locked());
    const flood = codes.flatMap((code) =>
      Array.from({ length: 10 }, (_, n) => enter(code, n % 2 ? right : 'wrong', '192.0.2.70')),
    );
    expect((await enter(codes[0]!, right, '192.0.2.71')).status).toBe(204);
    const seen = new Set((await Promise.all(flood)).map(({ status }) => status));
    // Addresses that have tried often share 16 places: attempts beyond them get 503.
    expect([204, 401, 429, 503]).toEqual(expect.arrayContaining([...seen]));
    expect([...seen]).toEqual(expect.arrayContaining([204, 401, 429]));
  });

  test('from addresses that try again and again waits behind an address that tries for the first time', async () => {
    const code = await locked();
    const addresses = Array.from({ length: 16 }, (_, n) => `203.0.113.${n}`);
    await tryOften(addresses);
    const ended: string[] = [];
    const flood = addresses.map(async (address) => {
      await enter(code, 'wrong', address);
      ended.push(address);
    });
    // From then on the others wait.
    await expect.poll(() => ended.length, { interval: 1 }).toBeGreaterThan(0);
    const before = ended.length;
    expect((await enter(code, right, '203.0.113.200')).status).toBe(204);
    // In order of arrival it would end after nearly all of them.
    expect(ended.length - before).toBeLessThan((addresses.length - before) / 2);
    await Promise.all(flood);
  });

  test('over HTTP gets 401, 429 and 503, and leaves the process free for other requests', async () => {
    const code = await locked();
    const addresses = Array.from({ length: 25 }, (_, n) => `198.51.${n}.7`);
    await tryOften(addresses);
    let answered = 0;
    let flooding = true;
    const others = async (): Promise<void> => {
      while (flooding) {
        expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(200);
        answered++;
      }
    };
    const watching = others();
    const senders = addresses.flatMap((address) => Array<string>(6).fill(address));
    const flood = await Promise.all(senders.map((address) => enter(code, 'wrong', address)));
    flooding = false;
    await watching;
    const seen = new Set(flood.map(({ status }) => status));
    expect([401, 429, 503]).toEqual(expect.arrayContaining([...seen]));
    expect(seen.has(503)).toBe(true);
    expect(answered).toBeGreaterThan(2);
    // An attempt that was not checked does not count.
    const busy = flood.findIndex(({ status }) => status === 503);
    expect((await enter(code, right, senders[busy])).status).toBe(204);
  });
});
