/** `npm start`, really started and really killed; only the planes are stand-ins. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunningEnvironment } from '#shared/running-environment.ts';
import { afterFile, freePort, programEnvironment, temporaryFolder } from '../testing/local.ts';
import { endLeftoverProcesses, rememberProcess } from './child/leftover-processes.ts';
import { commandLineOf, startOfProcess } from './child/process-identity.ts';
import { queryOnce } from './parts/postgres/postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('fixtures/start.ts', import.meta.url));

interface Run {
  readonly output: string;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** Resolves once the output has the text; rejects if it ends before. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

const launch = (
  env: Record<string, string>,
  [command, ...args]: [string, ...string[]] = [process.execPath, program],
  cwd?: string,
): Run => {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  exited.then(() => running.delete(child));
  return {
    get output() {
      return output;
    },
    pid: child.pid!,
    exited,
    says: (text) => expect.poll(() => output, { timeout: 120_000, interval: 20 }).toContain(text),
    kill: (signal) => child.kill(signal),
  };
};

afterFile(async () => {
  for (const child of running) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
  }
});

const newEnvironment = async (dataDir: string): Promise<Record<string, string>> => {
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    ...programEnvironment(),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: String(ports[0]),
    CONTROL_PLANE_INTERNAL_PORT: String(ports[1]),
    REDIRECTOR_PORT: String(ports[2]),
    REDIRECTOR_INTERNAL_PORT: String(ports[3]),
  };
};

/** The pid of a part, from the status table. */
const pidOf = (output: string, part: string): number =>
  Number(new RegExp(`^${part} +\\S+ +(\\d+)`, 'm').exec(output)?.[1]);

const parts = ['postgres', 'redis', 'clickhouse', 'control-plane', 'redirector'];

/** The current pid: a part may have been restarted. */
const readPid = async (dataDir: string, part: string): Promise<number> =>
  JSON.parse(await readFile(path.join(dataDir, 'run', `${part}.json`), 'utf8')).pid;

const allGone = (pids: number[]) =>
  expect.poll(async () => (await Promise.all(pids.map(startOfProcess))).filter(Boolean)).toEqual([]);

const urlOf = (dataDir: string, name: string): string => readRunningEnvironment(dataDir)?.[name] ?? '';

describe('npm start', { timeout: 300_000 }, () => {
  let dataDir: string;
  let env: Record<string, string>;
  /** Shared by the tests: a start takes a second or two of CPU. */
  let run: Run;

  const pidOfPart = (part: string) => readPid(dataDir, part);

  beforeAll(async () => {
    dataDir = path.join(await temporaryFolder(), 'a path', 'with spaces');
    env = await newEnvironment(dataDir);
  });

  test('starts everything, prints how to use it, and stops everything on SIGTERM', async () => {
    run = launch(env);
    await run.says('ready in');
    const { CONTROL_PLANE_PORT: apiPort, REDIRECTOR_PORT: qrPort } = env;
    expect(run.output).toContain(`curl -s -X POST http://localhost:${apiPort}/api/qr/codes `);
    expect(run.output).toMatch(/Bearer wm_\w{32}/);
    expect(run.output).toMatch(new RegExp(`^redirects  http://localhost:${qrPort}$`, 'm'));
    await run.says('redirector: warning of redirector');
    expect(run.output).not.toContain('not worth showing');
    const pids = parts.map((part) => pidOf(run.output, part));
    for (const pid of pids) expect(await startOfProcess(pid)).not.toBeNull();
    await queryOnce(urlOf(dataDir, 'DATABASE_URL'), 'CREATE TABLE kept AS SELECT 1 AS one');
    await expectNoExamples();
    run.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    await allGone(pids);
    expect(readRunningEnvironment(dataDir)).toBeUndefined();
    expect(await readdir(path.join(dataDir, 'run'))).toEqual([]);
  });

  /** Examples that cannot be created do not stop the start; each is named in a line. */
  const expectNoExamples = async (): Promise<void> => {
    for (const what of ['a landing page', 'a form', 'a menu'])
      await run.says(`there is no example of ${what}: `);
    expect(run.output.indexOf('ready in')).toBeLessThan(run.output.indexOf('no example'));
    await expect
      .poll(() => readFile(path.join(dataDir, 'examples.json'), 'utf8'))
      .toBe(`${JSON.stringify({ state: 'made', examples: [] }, null, 2)}\n`);
  };

  test('the next start finds the same data, ports, key and passwords; secrets are readable only by this user', async () => {
    const key = await readFile(path.join(dataDir, 'api-key'), 'utf8');
    run = launch(env);
    await run.says('ready in');
    expect(run.output).toContain(key.trim());
    const { rows } = await queryOnce(urlOf(dataDir, 'DATABASE_URL'), 'SELECT one FROM kept');
    expect(rows).toEqual([{ one: 1 }]);
    const secrets = ['api-key', 'environment.json', 'redis/redis.conf'].concat(
      (await readdir(path.join(dataDir, 'secrets'))).map((name) => `secrets/${name}`),
    );
    for (const name of secrets) expect((await stat(path.join(dataDir, name))).mode & 0o777).toBe(0o600);
  });

  test('a second start on the same folder is refused while the first one runs', async () => {
    const second = launch({ ...env, ...(await newEnvironment(dataDir)) });
    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toBe(
      `Waymark already runs on ${dataDir}: stop it, or set DATA_DIR to another folder`,
    );
  });

  test('a killed part is restarted at the same place, and Redis has lost nothing', async () => {
    const [redisUrl, databaseUrl] = [urlOf(dataDir, 'REDIS_URL'), urlOf(dataDir, 'DATABASE_URL')];
    const redis = new Redis(redisUrl);
    redis.on('error', () => undefined);
    await redis.set('key', 'kept');
    for (const part of ['redis', 'postgres', 'clickhouse', 'redirector']) {
      process.kill(pidOf(run.output, part), 'SIGKILL');
      await run.says(`${part} stopped (killed), restarting`);
      await run.says(`${part} runs again`);
    }
    expect(await redis.get('key')).toBe('kept');
    redis.disconnect();
    expect((await queryOnce(databaseUrl, 'SELECT one FROM kept')).rows).toEqual([{ one: 1 }]);
    const redirector = await fetch(`http://127.0.0.1:${env.REDIRECTOR_PORT}/`);
    expect(await redirector.text()).toBe('redirector');
  });

  test('a part that keeps dying ends only itself: it is restarted slowly, and the cause is printed', async () => {
    const die = () => fetch(`http://127.0.0.1:${env.CONTROL_PLANE_PORT}/die`).catch(() => undefined);
    const timer = setInterval(die, 30);
    const logFile = path.join(dataDir, 'logs', 'control-plane.log');
    await run.says('control-plane does not stay up');
    const [, line = ''] = /control-plane does not stay up \((.*)/.exec(run.output) ?? [];
    expect(line).toContain('{"level":50,"msg":"told to die"}');
    expect(line).toContain(
      `): codes that are held redirect, and there is no API; trying again every 0.5 s, read ${logFile}`,
    );
    clearInterval(timer);
    const redirector = await fetch(`http://127.0.0.1:${env.REDIRECTOR_PORT}/`);
    expect(await redirector.text()).toBe('redirector');
    await expect
      .poll(() => run.output.split('does not stay up').at(-1), { timeout: 60_000 })
      .toContain('control-plane runs again');
  });

  test('the next start works after a kill -9 of the supervisor, here with a key of the operator', async () => {
    const pids = await Promise.all(parts.map(pidOfPart));
    run.kill('SIGKILL');
    await run.exited;
    run = launch({ ...env, BOOTSTRAP_API_KEY: 'an own key of the operator' });
    await run.says('ready in');
    await run.says('API key    an own key of the operator');
    const { rows } = await queryOnce(urlOf(dataDir, 'DATABASE_URL'), 'SELECT one FROM kept');
    expect(rows).toEqual([{ one: 1 }]);
    await allGone(pids);
    run.kill('SIGTERM');
    expect(await run.exited).toBe(0);
  });

  test('Ctrl-C during a start stops everything that has started', async () => {
    run = launch(env);
    await expect.poll(() => readdir(path.join(dataDir, 'run')), { interval: 5 }).not.toEqual([]);
    run.kill('SIGINT');
    expect(await run.exited).toBe(0);
    expect(await readdir(path.join(dataDir, 'run'))).toEqual([]);
  });
});

/** A package with our start script and the stand-ins of the planes. @returns its folder */
const packageWithStart = async (): Promise<string> => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const folder = await temporaryFolder();
  const start = scripts.start.replace('deploy/embedded/main.ts', program);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start } }));
  return folder;
};

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s sent only to npm, in the background of a script, ends everything',
  async (signal) => {
    const dataDir = await temporaryFolder();
    const env = await newEnvironment(dataDir);
    const withNode = { ...env, PATH: `${path.dirname(process.execPath)}:${env.PATH}` };
    // Shells make background jobs ignore SIGINT.
    const run = launch(withNode, ['sh', '-c', "trap '' INT; exec npm start"], await packageWithStart());
    await run.says('ready in');
    const pids = await Promise.all(parts.map((part) => readPid(dataDir, part)));
    run.kill(signal);
    await run.exited;
    await allGone(pids);
    expect(await readdir(path.join(dataDir, 'run'))).toEqual([]);
  },
  300_000,
);

describe('a start that cannot work prints why in one line, exit code 1', () => {
  /** All of its output except the progress of a start that takes longer than two seconds. */
  const lineOf = async (env: Record<string, string>): Promise<string> => {
    const run = launch(env);
    expect(await run.exited).toBe(1);
    const lines = run.output.trim().split('\n');
    return lines.filter((line) => !/^starting .* … \(\d+ s\)$/.test(line)).join('\n');
  };

  test('a port in use', async () => {
    const env = await newEnvironment(await temporaryFolder());
    const server = net.createServer().listen(Number(env.REDIRECTOR_PORT), '127.0.0.1');
    expect(await lineOf(env)).toBe(
      `port ${env.REDIRECTOR_PORT} is taken (REDIRECTOR_PORT): stop what listens there, or set REDIRECTOR_PORT`,
    );
    server.close();
  });

  test('a wrong variable', async () => {
    const env = { ...(await newEnvironment(await temporaryFolder())), REDIRECTOR_PORT: 'eighty' };
    expect(await lineOf(env)).toBe('REDIRECTOR_PORT must be a port number, 1 to 65535; given: "eighty"');
  });

  test('no secret, and nothing is embedded', async () => {
    const env = {
      ...(await newEnvironment(await temporaryFolder())),
      DATABASE_URL: 'postgres://localhost/waymark',
      REDIS_URL: 'redis://localhost',
      CLICKHOUSE_URL: 'http://localhost:8123/waymark',
    };
    expect(await lineOf(env)).toBe(
      'SECRET_KEY must have at least 32 characters; it is not set (npm start makes one while it embeds anything)',
    );
  });

  test('no redis-server', async () => {
    // A PATH with everything else that is needed.
    const bin = await mkdtemp(path.join(await temporaryFolder(), 'bin-'));
    for (const [name, file] of [
      ['node', process.execPath],
      ['setpriv', '/usr/bin/setpriv'],
      ['id', '/usr/bin/id'],
    ] as const) {
      await symlink(file, path.join(bin, name));
    }
    const env = {
      ...(await newEnvironment(await temporaryFolder())),
      PATH: bin,
      // Nothing else needs to start.
      DATABASE_URL: 'postgres://localhost/waymark',
      CLICKHOUSE_URL: 'http://localhost:8123/waymark',
    };
    expect(await lineOf(env)).toMatch(/^redis-server is not installed: .* or set REDIS_URL$/);
  });

  test('a DATA_DIR that is a file', async () => {
    const env = await newEnvironment(path.join(program, 'data'));
    expect(await lineOf(env)).toMatch(
      /^DATA_DIR .* cannot be written \(ENOTDIR\): change its owner, or set another$/,
    );
  });
});

describe('leftovers of an earlier run', () => {
  const sleeper = (): ChildProcess => spawn('sleep', ['60'], { stdio: 'ignore' });

  test('a recorded process is ended', async () => {
    const home = await temporaryFolder();
    const child = sleeper();
    await rememberProcess(home, 'redis', child.pid!, 'SIGTERM');
    expect(await endLeftoverProcesses(home)).toEqual(['redis']);
    expect(await commandLineOf(child.pid!)).toBe('');
  });

  test('another process with the same pid is left alone', async () => {
    const home = await temporaryFolder();
    const child = sleeper();
    await rememberProcess(home, 'redis', child.pid!, 'SIGTERM');
    const file = path.join(home, 'run', 'redis.json');
    const remembered = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...remembered, start: 'another time' }));
    expect(await endLeftoverProcesses(home)).toEqual([]);
    expect(await startOfProcess(child.pid!)).not.toBeNull();
    child.kill();
  });
});
