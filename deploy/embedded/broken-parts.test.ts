/** `npm start` with its real planes, while parts of it are really broken. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { freePort, temporaryFolder } from '../testing/index.ts';

const program = fileURLToPath(new URL('fixtures/impatient.ts', import.meta.url));
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

interface Run {
  /** Its data folder. */
  readonly home: string;
  readonly url: string;
  readonly qrHost: string;
  readonly output: string;
  says(text: string): Promise<void>;
  stop(): Promise<number | null>;
}

const newHome = async (): Promise<string> => {
  const home = path.join(await temporaryFolder(), 'data');
  await mkdir(home);
  return home;
};

/** Stopped when the test is done, whatever became of it. */
const launch = async (home: string): Promise<Run> => {
  const [port, internalPort, redirectorPort, redirectorInternalPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const qrHost = `http://127.0.0.1:${redirectorPort}`;
  const env = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    DATA_DIR: home,
    RUNTIME_DIR: home,
    CONTROL_PLANE_PORT: String(port),
    CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
    REDIRECTOR_PORT: String(redirectorPort),
    REDIRECTOR_INTERNAL_PORT: String(redirectorInternalPort),
    BASE_URL: url,
    QR_HOST: qrHost,
  };
  const child: ChildProcess = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  onTestFinished(async () => {
    await stop();
  }, 60_000);
  return {
    home,
    url,
    qrHost,
    get output() {
      return output;
    },
    says: (text) => expect.poll(() => output, { timeout: 60_000, interval: 50 }).toContain(text),
    stop,
  };
};

/** Waits for a text that is printed from here on. */
const next = (run: Run) => {
  const { length } = run.output;
  return (text: string) =>
    expect.poll(() => run.output.slice(length), { timeout: 60_000, interval: 50 }).toContain(text);
};

const pidOf = (output: string, part: string): number =>
  Number(new RegExp(`^${part} +\\S+ +(\\d+)`, 'm').exec(output)?.[1]);

const api = (run: Run, method: string, target: string, body?: unknown): Promise<Response> =>
  fetch(`${run.url}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${/^API key +(\S+)$/m.exec(run.output)![1]}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const scan = async (run: Run, id: string): Promise<number> =>
  (await fetch(`${run.qrHost}/r/${id}`, { redirect: 'manual', headers: { 'user-agent': phone } })).status;

const createCode = async (run: Run): Promise<string> => {
  const answer = await api(run, 'POST', '/api/qr/codes', { data: 'https://example.com/' });
  expect(answer.status).toBe(201);
  return z.object({ id: z.string() }).parse(await answer.json()).id;
};

const expectScans = (run: Run, id: string, totalScans: number) =>
  expect
    .poll(async () => (await api(run, 'GET', `/api/qr/codes/${id}/analytics?days=1`)).json(), {
      timeout: 60_000,
      interval: 200,
    })
    .toMatchObject({ totalScans });

/** A file in the folder's place: no part opens that. */
const breakPart = async ({ home }: Run, part: string): Promise<void> => {
  const folder = path.join(home, part);
  await rename(folder, `${folder}-healthy`);
  await writeFile(folder, 'not a folder');
};

const mendPart = async ({ home }: Run, part: string): Promise<void> => {
  const folder = path.join(home, part);
  await rm(folder);
  await rename(`${folder}-healthy`, folder);
};

describe('ClickHouse', { timeout: 180_000 }, () => {
  test('that cannot restart ends no redirect; its cause is told, and the scans of that time are counted later', async () => {
    const run = await launch(await newHome());
    await run.says('ready in');
    const id = await createCode(run);
    expect(await scan(run, id)).toBe(302);
    await expectScans(run, id, 1);

    const says = next(run);
    await breakPart(run, 'clickhouse');
    process.kill(pidOf(run.output, 'clickhouse'), 'SIGKILL');
    await says('clickhouse does not stay up');
    expect(run.output).toMatch(
      /clickhouse does not stay up \(.*(EEXIST|ENOTDIR).*\): codes redirect, scans wait/,
    );
    expect(await scan(run, id)).toBe(302);
    expect((await api(run, 'GET', `/api/qr/codes/${id}/analytics?days=1`)).status).toBe(503);

    await mendPart(run, 'clickhouse');
    await says('clickhouse runs again');
    await expectScans(run, id, 2);
    expect(await run.stop()).toBe(0);
  });

  test('that cannot start does not keep the others from starting, on the first start neither', async () => {
    const home = await newHome();
    await writeFile(path.join(home, 'clickhouse'), 'not a folder');
    const run = await launch(home);
    await run.says('ready in');
    expect(run.output).toMatch(
      /^clickhouse stopped while starting: .*: codes redirect, scans wait in the spool/m,
    );
    expect(run.output).toMatch(/^clickhouse +\S+ +- +failing/m);
    const id = await createCode(run);
    expect(await scan(run, id)).toBe(302);
    expect(await scan(run, id)).toBe(302);

    await rm(path.join(home, 'clickhouse'));
    await run.says('clickhouse runs again');
    await expectScans(run, id, 2);
    expect(await run.stop()).toBe(0);
  });
});

describe('PostgreSQL and Redis', { timeout: 180_000 }, () => {
  test.each(['postgres', 'redis'])(
    '%s that cannot restart ends no redirect of a code that is held',
    async (part) => {
      const run = await launch(await newHome());
      await run.says('ready in');
      const id = await createCode(run);
      expect(await scan(run, id)).toBe(302);

      const says = next(run);
      await breakPart(run, part);
      process.kill(pidOf(run.output, part), 'SIGKILL');
      await says(`${part} does not stay up`);
      expect(await scan(run, id)).toBe(302);

      await mendPart(run, part);
      await says(`${part} runs again`);
      await expect.poll(async () => (await api(run, 'GET', `/api/qr/codes/${id}`)).status).toBe(200);
      expect(await scan(run, id)).toBe(302);
      expect(await run.stop()).toBe(0);
    },
  );
});
