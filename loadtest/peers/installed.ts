/** The programs of the machine that the load test runs: finds them, and installs missing ones. */
import { spawnSync } from 'node:child_process';

export type Program = 'wrk' | 'nginx' | 'haproxy' | 'caddy' | 'openssl';

const versionFlag: Record<Program, string> = {
  wrk: '-v',
  nginx: '-v',
  haproxy: '-v',
  caddy: 'version',
  openssl: 'version',
};

/** Whether a program can be run, whatever its exit code, which is 1 for `wrk -v`. */
export const isInstalled = (program: Program): boolean =>
  spawnSync(program, [versionFlag[program]], { stdio: 'ignore' }).error === undefined;

/** The first version number that a program prints. */
export const versionOf = (program: Program): string => {
  const { stdout, stderr } = spawnSync(program, [versionFlag[program]], { encoding: 'utf8' });
  return /(\d+\.\d+(\.\d+)?)/.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown';
};

/** @throws {Error} if apt fails */
const install = (missing: readonly Program[]): void => {
  // RUNLEVEL=1: a package that is installed for a measurement must not start its service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const args = ['install', '-y', '--no-install-recommends', ...missing];
  for (const command of [['update'], args]) {
    const { status, stderr, error } = spawnSync('apt-get', command, { env, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(`apt-get ${command.join(' ')} failed: ${error?.message ?? stderr.slice(-500)}`);
  }
};

/**
 * Installs the missing programs, or says how.
 * @throws {Error} if there is no wrk: without it there is no load
 */
export const checkPrograms = (
  needed: readonly Program[],
  isInstalling: boolean,
  say: (line: string) => void,
): void => {
  const missing = needed.filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  if (isInstalling) install(missing);
  else say(`missing: apt-get install ${missing.join(' ')} (or --install, as root on Debian)`);
  if (!isInstalled('wrk')) throw new Error('wrk makes the load: without it nothing can be measured');
};

/** Why a peer cannot be started; undefined if it can be started. */
export const whyNotInstalled = (program: Program): string | undefined =>
  isInstalled(program) ? undefined : `${program} is not installed: apt-get install ${program}, or --install`;
