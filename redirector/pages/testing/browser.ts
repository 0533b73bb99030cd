/** A real browser for the tests of pages: Chromium, installed where that is possible. */
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);

const candidates = [
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

const findBrowser = async (): Promise<string | undefined> => {
  for (const file of candidates) if (await exists(file)) return file;
  return undefined;
};

const isRootOnDebian = async (): Promise<boolean> =>
  process.getuid?.() === 0 &&
  (await exists('/etc/os-release')) &&
  /^ID(_LIKE)?=.*debian/m.test(await readFile('/etc/os-release', 'utf8'));

/** Two test files may want it at once: the second waits for the lock of the first. */
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

const install = async (): Promise<void> => {
  console.error('installing Chromium for the tests of pages …');
  await apt('update');
  await apt('install', '--no-install-recommends', 'chromium');
};

/** @returns undefined, with a line that says so, when there is no Chromium and none can be installed */
export const launchBrowser = async (): Promise<Browser | undefined> => {
  try {
    if (!(await findBrowser()) && (await isRootOnDebian())) await install();
  } catch (error) {
    console.error(`Chromium cannot be installed: ${error instanceof Error ? error.message : error}`);
  }
  const executablePath = await findBrowser();
  if (executablePath === undefined) {
    console.error('the tests of pages in a browser are skipped: install Chromium to run them');
    return undefined;
  }
  // Root may not use the sandbox; the pages are our own.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
};
