/**
 * As whom PostgreSQL runs: it refuses to be root, so that root runs it as the system user `postgres`.
 *
 * That user must reach the programs and the data, which often lie below a folder that only root may enter (/root). Its
 * modes are not ours to change, so the process gets the one capability that lets it pass (it acts for root anyway).
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasSetpriv, StartError } from './part.ts';

const run = promisify(execFile);

export interface PostgresUser {
  uid: number;
  gid: number;
  /** Arguments of setpriv(1) that become this user. */
  privileges: string[];
}

const idOf = async (flag: '-u' | '-g'): Promise<number> =>
  Number((await run('id', [flag, 'postgres'])).stdout.trim());

const createSystemUser = async (): Promise<void> => {
  try {
    await run('id', ['-u', 'postgres']);
  } catch {
    await run('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']);
  }
};

/** The first folder or file on the way to the path, itself included, that neither the user nor others may pass. */
const findObstacle = async (target: string, uid: number, gid: number): Promise<string | undefined> => {
  let passed = path.parse(target).root;
  for (const name of path.relative(passed, target).split(path.sep)) {
    passed = path.join(passed, name);
    const entry = await stat(passed);
    const needed = entry.uid === uid ? 0o100 : entry.gid === gid ? 0o010 : 0o001;
    if ((entry.mode & needed) === 0) return passed;
  }
  return undefined;
};

/**
 * The user to run PostgreSQL as, created if it does not exist; undefined for an ordinary user, who runs it himself.
 * @param targets absolute paths that it must reach
 * @throws {StartError} when root cannot hand over to it
 */
export const findPostgresUser = async (targets: string[]): Promise<PostgresUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  if (!hasSetpriv()) {
    throw new StartError(
      'PostgreSQL does not run as root here: start as an ordinary user, or set DATABASE_URL',
    );
  }
  try {
    await createSystemUser();
  } catch (error) {
    throw new StartError(
      `the system user postgres cannot be created: ${error}: create it, or set DATABASE_URL`,
    );
  }
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  const obstacles = await Promise.all(targets.map((target) => findObstacle(target, uid, gid)));
  // PostgreSQL also asks by access(2) whether it may run its programs, which ignores a capability without the last bit.
  const pass = [
    '--inh-caps',
    '+dac_override',
    '--ambient-caps',
    '+dac_override',
    '--securebits',
    '+no_setuid_fixup',
  ];
  const privileges = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return { uid, gid, privileges: obstacles.some(Boolean) ? [...privileges, ...pass] : privileges };
};
