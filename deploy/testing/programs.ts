/**
 * System programs that tests need: readers of Waymark's output (a browser, second readers of codes and PDFs), and the
 * proxies in front of it. If they are missing and can be installed (root on Debian), the suite installs them;
 * otherwise the tests that need them are skipped. If the suite must run in full (CI=true) it fails instead.
 */
import { execFile, spawnSync } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { messageOf } from '#shared/errors.ts';
import { findDebianPostgres } from './debian-postgres.ts';

const run = promisify(execFile);

/** In the order of their cost: in its headless shell, Chromium takes a third of the time per page. */
const browsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** The file of an installed Chromium or Chrome. */
export const findBrowser = async (): Promise<string | undefined> => {
  for (const file of browsers) if (await exists(file)) return file;
  return undefined;
};

export const hasProgram = (name: string): boolean =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;

const isRootOnDebian = async (): Promise<boolean> =>
  process.getuid?.() === 0 &&
  (await exists('/etc/os-release')) &&
  /^ID(_LIKE)?=.*debian/m.test(await readFile('/etc/os-release', 'utf8'));

const apt = (...args: string[]) =>
  run('env', [
    'DEBIAN_FRONTEND=noninteractive',
    // A package installed for tests must not start its service.
    'RUNLEVEL=1',
    'apt-get',
    '-y',
    '-qq',
    '-o',
    'DPkg::Lock::Timeout=180',
    ...args,
  ]);

interface Program {
  /** Its name in messages. */
  name: string;
  /** Its Debian package. */
  package: string;
  isThere(): boolean | Promise<boolean>;
}

const programs: readonly Program[] = [
  {
    name: 'Chromium',
    package: 'chromium-headless-shell',
    isThere: async () => (await findBrowser()) !== undefined,
  },
  {
    name: 'PostgreSQL with pg_dump',
    package: 'postgresql',
    isThere: () => findDebianPostgres() !== undefined,
  },
  { name: 'ZBar (zbarimg)', package: 'zbar-tools', isThere: () => hasProgram('zbarimg') },
  { name: 'poppler (pdftoppm)', package: 'poppler-utils', isThere: () => hasProgram('pdftoppm') },
  { name: 'nginx', package: 'nginx', isThere: () => hasProgram('nginx') },
  { name: 'HAProxy', package: 'haproxy', isThere: () => hasProgram('haproxy') },
  { name: 'Caddy', package: 'caddy', isThere: () => hasProgram('caddy') },
  { name: 'OpenSSL (openssl)', package: 'openssl', isThere: () => hasProgram('openssl') },
];

const missingPrograms = async (): Promise<Program[]> => {
  const missing: Program[] = [];
  for (const program of programs) if (!(await program.isThere())) missing.push(program);
  return missing;
};

const install = async (packages: readonly string[]): Promise<void> => {
  const names = packages.join(' ');
  console.error(`installing ${names} for the tests …`);
  try {
    await apt('update');
    await apt('install', '--no-install-recommends', ...packages);
  } catch (error) {
    console.error(`${names} cannot be installed: ${messageOf(error)}`);
  }
};

/**
 * Installs missing programs once before the suite, as apt has one user at a time. Names the ones that stay missing.
 * @param required whether no test may be skipped
 * @throws {Error} naming the programs that stay missing, if they are required
 */
export const ensurePrograms = async ({ required }: { required: boolean }): Promise<void> => {
  const absent = await missingPrograms();
  if (absent.length === 0) return;
  if (await isRootOnDebian()) await install(absent.map((program) => program.package));
  const missing = await missingPrograms();
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const packages = missing.map((program) => program.package).join(' ');
  if (required)
    throw new Error(
      `${names}: missing, and with CI=true no test is skipped; install the packages ${packages}, or unset CI`,
    );
  console.error(`tests are skipped that need ${names}`);
};
