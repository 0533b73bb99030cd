/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root runs it as the system user `postgres`,
 * without capabilities. That user may be unable to reach the programs and the data by their paths: see reach.ts.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasSetpriv, StartError } from '../../child/part.ts';

const run = promisify(execFile);

export interface PostgresUser {
  uid: number;
  gid: number;
  /** Arguments of setpriv(1) that irrevocably switch to this user. */
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

/**
 * The user to run PostgreSQL as, created if it does not exist; undefined unless this process is root's.
 * @throws {StartError} if root cannot switch to it
 */
export const findPostgresUser = async (): Promise<PostgresUser | undefined> => {
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
  const privileges = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return { uid, gid, privileges: [...privileges, '--inh-caps=-all', '--no-new-privs'] };
};
