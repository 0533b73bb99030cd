/** Session tickets shared by several machines with nginx or HAProxy, with the keys of ticket-keys.sh. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { isResumed, newSession } from '../testing/handshakes.ts';
import { freePort, temporaryFolder } from '../testing/local.ts';
import { hasProgram } from '../testing/programs.ts';
import { configure, placeCertificate, type RunningProxy, startNginx, startProxy } from './testing/proxy.ts';

const script = path.join(import.meta.dirname, 'ticket-keys.sh');
const versions = ['TLSv1.2', 'TLSv1.3'] as const;

let folder: string;

const keysFolder = () => path.join(folder, 'tickets');
const rotate = () => execFileSync(script, [keysFolder()]);

/** The lines of a file about shared keys: as shipped, and as an operator with several machines edits them. */
const shared = {
  nginx: () =>
    Object.fromEntries(
      ['current', 'next', 'previous'].map((key) => [
        `#ssl_session_ticket_key /run/waymark-tickets/${key}.key`,
        `ssl_session_ticket_key ${keysFolder()}/${key}.key`,
      ]),
    ),
  haproxy: () => ({
    'alpn h2,http/1.1': `alpn h2,http/1.1 tls-ticket-keys ${keysFolder()}/haproxy.keys`,
  }),
};

type Name = keyof typeof shared;

interface Machine {
  port: number;
  /** Like a reload: with the current keys and configuration. */
  restart(): Promise<void>;
}

const startOn = async (name: Name, home: string, port: number, changes: Record<string, string>) => {
  const httpPort = await freePort();
  const common = { '/etc/ssl/waymark': folder, ...changes };
  if (name === 'haproxy') {
    const ports = { 'bind :443': `bind 127.0.0.1:${port}`, 'bind :80': `bind 127.0.0.1:${httpPort}` };
    return startProxy('haproxy', [
      '-db',
      '-f',
      await configure(home, 'haproxy.cfg', { ...common, ...ports }),
    ]);
  }
  const ports = { 'listen 443 ': `listen 127.0.0.1:${port} `, 'listen 80;': `listen 127.0.0.1:${httpPort};` };
  return startNginx(home, await configure(home, 'nginx.conf', { ...common, ...ports }));
};

const startMachine = async (name: Name, isShared: boolean): Promise<Machine> => {
  const port = await freePort();
  const home = path.join(folder, `${name}-${port}`);
  await mkdir(home);
  let proxy: RunningProxy;
  const start = async (): Promise<void> => {
    proxy = await startOn(name, home, port, isShared ? shared[name]() : {});
    await vi.waitFor(
      async () => {
        if (proxy.hasEnded()) throw new Error(`${name} ended: ${proxy.said()}`);
        await newSession(port);
      },
      { timeout: 60_000, interval: 100 },
    );
  };
  await start();
  return {
    port,
    async restart() {
      await proxy.stop();
      await start();
    },
  };
};

const programs = (['nginx', 'haproxy'] as const).filter(hasProgram);

describe.runIf(hasProgram('openssl')).each(programs)('machines with %s', (name) => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await placeCertificate(folder);
    rotate();
  });

  test('that share ticket keys resume each other’s sessions, even if one has newer keys; old keys are forgotten', async () => {
    const [one, another] = [await startMachine(name, true), await startMachine(name, true)];
    const resumes = async (on: Machine, sessions: Record<string, Buffer>): Promise<boolean[]> =>
      Promise.all(versions.map((version) => isResumed(on.port, sessions[version]!, version)));
    const begin = async (on: Machine): Promise<Record<string, Buffer>> =>
      Object.fromEntries(
        await Promise.all(versions.map(async (each) => [each, await newSession(on.port, each)] as const)),
      );
    const first = await begin(one);
    expect(await resumes(another, first)).toEqual([true, true]);

    rotate();
    await one.restart();
    const second = await begin(one);
    expect(await resumes(another, second)).toEqual([true, true]);
    expect(await resumes(one, first)).toEqual([true, true]);

    rotate();
    rotate();
    await another.restart();
    expect(await resumes(another, first)).toEqual([false, false]);
  });

  test('that share no keys do not', async () => {
    const [one, another] = [await startMachine(name, false), await startMachine(name, false)];
    for (const version of versions) {
      const session = await newSession(one.port, version);
      expect(await isResumed(one.port, session, version)).toBe(true);
      expect(await isResumed(another.port, session, version)).toBe(false);
    }
  });
});

test.runIf(hasProgram('openssl'))(
  'ticket keys are readable only by their owner, and advance by one',
  async () => {
    folder = await temporaryFolder();
    rotate();
    const read = (name: string) => readFile(path.join(keysFolder(), name));
    const before = { current: await read('current.key'), next: await read('next.key') };
    rotate();
    expect(await read('previous.key')).toEqual(before.current);
    expect(await read('current.key')).toEqual(before.next);
    const lines = (await read('haproxy.keys')).toString().trim().split('\n');
    const keys = await Promise.all(['previous.key', 'current.key', 'next.key'].map(read));
    expect(lines.map((line) => Buffer.from(line, 'base64'))).toEqual(keys);
    expect(new Set(lines).size).toBe(3);
    for (const name of ['current.key', 'haproxy.keys'])
      expect((await stat(path.join(keysFolder(), name))).mode & 0o777).toBe(0o600);
    expect(() => execFileSync(script, { stdio: 'pipe' })).toThrow('usage: ticket-keys.sh FOLDER');
  },
);
