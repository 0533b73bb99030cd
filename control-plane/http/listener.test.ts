import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listen } from './listener.ts';

const local = { host: '127.0.0.1', port: 0 };

test('closing lets the requests under way finish, and accepts no more', async () => {
  const listener = await listen(async (_, response) => {
    await sleep(300);
    response.end('finished');
  }, local);
  const url = `http://127.0.0.1:${listener.port}/`;
  const underWay = fetch(url).then((response) => response.text());
  await sleep(100);
  const startedMs = performance.now();
  const closed = Promise.all([listener.close(), listener.close()]);
  await expect(fetch(url)).rejects.toThrow();
  expect(await underWay).toBe('finished');
  await closed;
  // Connections that a client keeps open do not hold it up.
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

test('a port that is taken fails the start', async () => {
  const first = await listen((_, response) => response.end(), local);
  await expect(listen((_, response) => response.end(), { ...local, port: first.port })).rejects.toThrow(
    'EADDRINUSE',
  );
  await first.close();
});
