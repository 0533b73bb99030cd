import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from './messages.ts';
import { answering, hanging, type Receiver, resetting, startReceiver } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const started: Receiver[] = [];
afterEach(() => Promise.all(started.splice(0).map((receiver) => receiver.stop())));

const start = async (behaviour: Behaviour): Promise<Receiver> => {
  const receiver = await startReceiver(behaviour);
  started.push(receiver);
  await receiver.ask<'expect'>({ kind: 'expect', endpoint: 'one', secret });
  return receiver;
};

const body = JSON.stringify({
  id: 'evt_1',
  type: 'qr.created',
  createdAt: '2026-11-22T10:00:00.000Z',
  data: { qrId: 'code1' },
});

const send = ({ origin }: Receiver, sent = body, signal?: AbortSignal): Promise<Response> => {
  const at = new Date();
  return fetch(`${origin}/one`, {
    method: 'POST',
    headers: {
      'webhook-id': 'dlv_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('dlv_1', at, body),
    },
    body: sent,
    ...(signal ? { signal } : {}),
  });
};

const untilSeen = async (receiver: Receiver) => {
  await expect
    .poll(() => receiver.ask<'count'>({ kind: 'count', endpoint: 'one' }))
    .toEqual({ seen: expect.anything(), open: 0 });
  return receiver.ask<'take'>({ kind: 'take' });
};

test('a request that was signed is kept with its answer, and is taken once', async () => {
  const receiver = await start(answering(500));
  expect((await send(receiver)).status).toBe(500);
  const seen = await untilSeen(receiver);
  expect(seen).toMatchObject([
    { id: 'dlv_1', endpoint: 'one', outcome: 500, eventId: 'evt_1', codeId: 'code1', fault: null },
  ]);
  expect(seen[0]!.createdAtMs).toBe(Date.UTC(2026, 10, 22, 10));
  expect(await receiver.ask<'take'>({ kind: 'take' })).toEqual([]);
});

test('a body that was changed on its way has a fault, and another digest', async () => {
  const receiver = await start(answering(200));
  await send(receiver);
  await send(receiver, body.replace('code1', 'code2'));
  const [good, bad] = await untilSeen(receiver);
  expect([good!.fault, bad!.fault]).toEqual([null, 'No matching signature found']);
  expect(bad!.digest).not.toBe(good!.digest);
});

test('a connection is reset if the behaviour says so', async () => {
  const receiver = await start(resetting);
  await expect(send(receiver)).rejects.toThrow('fetch failed');
  expect(await untilSeen(receiver)).toMatchObject([{ outcome: 'reset' }]);
});

test('a request that is never answered ends when its client goes', async () => {
  const receiver = await start(hanging);
  const client = new AbortController();
  const sent = send(receiver, body, client.signal);
  await expect
    .poll(() => receiver.ask<'count'>({ kind: 'count', endpoint: 'one' }))
    .toEqual({ seen: 1, open: 1 });
  client.abort();
  await expect(sent).rejects.toThrow('aborted');
  expect(await untilSeen(receiver)).toMatchObject([{ outcome: 'gone' }]);
});

test('no process listens while it is down, and it is up again at the same origin', async () => {
  const receiver = await start(answering(200));
  await receiver.ask<'down'>({ kind: 'down' });
  await expect(send(receiver)).rejects.toThrow('fetch failed');
  await receiver.ask<'up'>({ kind: 'up' });
  expect((await send(receiver)).status).toBe(200);
});
