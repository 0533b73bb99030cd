/** Logos of keyless tenants, which may be many addresses of one client. */
import { afterEach, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createLogoPreparation, type LogoPreparation } from './logo-preparation.ts';
import { stopProcesses } from './testing/stop-processes.ts';

const svg = (content: string): string =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`).toString(
    'base64',
  );

const createDice = () => {
  let state = 1;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * 100);
  };
};

const dice = createDice();
const tangle = Array.from({ length: 2_500 }, () => `C${Array.from({ length: 6 }, dice).join(' ')}`).join('');

/**
 * Paths within the limits that cross themselves so often that they run until killed. One more number makes a different
 * file.
 */
const endless = (n: number): string =>
  svg(
    `<path d="M0 ${n}${tangle}"/>${'<path fill="none" stroke="#000" stroke-linejoin="round" d="M0 0'.concat(tangle, '"/>').repeat(2)}`,
  );

const simple = (n: number): string => svg(`<path d="M0 ${n}h9v9z"/>`);

let preparation: LogoPreparation;
afterEach(() => preparation.close());

test('75 addresses whose logos take too long keep no workspace from its logo', async () => {
  // Longer than the test, so that the workspace does not just wait for them to end.
  preparation = createLogoPreparation({ logoMsMax: 600_000 });
  await preparation.prepare(simple(0), 64, 'workspace');
  const refusals = Array.from({ length: 75 }, (_, n) =>
    preparation.prepare(endless(n), 64, { address: `127.0.0.${n}` }).catch((error: unknown) => error),
  );
  for (const n of [1, 2, 3, 4])
    expect((await preparation.prepare(simple(n), 64, 'workspace')).width).toBe(256);
  // The addresses themselves are refused at once if there is no place.
  const [code] = await Promise.race(
    refusals.map(async (refusal) => [((await refusal) as ClientError).code] as const),
  );
  expect(code).toBe('UNAVAILABLE');
});

test('a workspace asking for a logo that an address is waiting for does not wait in its queue', async () => {
  preparation = createLogoPreparation({ logoMsMax: 600_000 });
  await preparation.prepare(simple(0), 64, 'workspace');
  const prepared: string[] = [];
  const ask = (name: string, logo: string) =>
    preparation.prepare(logo, 64, { address: name }).then(
      () => prepared.push(name),
      (error: unknown) => error,
    );
  const asked = [ask('127.0.0.1', endless(1)), ask('127.0.0.2', simple(1))];
  await preparation.prepare(simple(1), 64, 'workspace');
  expect(prepared).toEqual([]);
  preparation.close();
  await Promise.all(asked);
});

test('an address whose logo took too long may not send another for a while; a workspace may', async () => {
  preparation = createLogoPreparation({ logoMsMax: 3_000 });
  const [own, other] = [{ address: '127.0.0.1' }, { address: '127.0.0.2' }];
  await preparation.prepare(simple(0), 64, own);
  stopProcesses();
  await expect(preparation.prepare(simple(1), 64, own)).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  const refusal = await preparation.prepare(simple(2), 64, own).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ClientError);
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });
  expect((refusal as ClientError).retryAfterSeconds).toBeGreaterThan(200);
  // A known logo costs nothing.
  await preparation.prepare(simple(0), 64, own);
  await preparation.prepare(simple(3), 64, other);
  stopProcesses();
  await expect(preparation.prepare(simple(4), 64, 'workspace')).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
  });
  await preparation.prepare(simple(5), 64, 'workspace');
});

test('a process killed from outside is not blamed on its logo: no refusal is kept, no address banned', async () => {
  preparation = createLogoPreparation({ logoMsMax: 600_000 });
  const own = { address: '127.0.0.1' };
  await preparation.prepare(simple(0), 64, own);
  stopProcesses();
  const refusal = preparation.prepare(simple(1), 64, own).catch((error: unknown) => error);
  for (const pid of preparation.pids()) process.kill(pid, 'SIGKILL');
  expect(await refusal).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The process that drew the logo has ended; try again shortly',
  });
  expect((await preparation.prepare(simple(1), 64, own)).width).toBe(256);
});
