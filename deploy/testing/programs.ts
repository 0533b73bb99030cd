/**
 * Programs of the system that look at what Waymark makes: a browser, and second readers of codes and PDFs. Where they are missing
 * and can be installed (root on Debian), the suite installs them; elsewhere the tests that need them are skipped.
 */
import { execFile, spawnSync } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const browsers = [
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
    'apt-get',
    '-y',
    '-qq',
    '-o',
    'DPkg::Lock::Timeout=180',
    ...args,
  ]);

const missingPackages = async (): Promise<string[]> => [
  ...((await findBrowser()) ? [] : ['chromium']),
  ...(hasProgram('zbarimg') ? [] : ['zbar-tools']),
  ...(hasProgram('pdftoppm') ? [] : ['poppler-utils']),
];

/** Once before the suite: apt knows one user at a time. Says what stays away. */
export const ensurePrograms = async (): Promise<void> => {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  const names = missing.join(' ');
  if (await isRootOnDebian()) {
    console.error(`installing ${names} for the tests …`);
    try {
      await apt('update');
      await apt('install', '--no-install-recommends', ...missing);
      return;
    } catch (error) {
      console.error(`${names} cannot be installed: ${error instanceof Error ? error.message : error}`);
    }
  }
  console.error(`tests are skipped that need ${names}`);
};
