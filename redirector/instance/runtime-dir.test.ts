import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canMount, fillDisk, mountDisk } from '../../deploy/testing/disk.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { createLog, logger } from '../testing/redirector.ts';
import { append, batchOf, drainRows, openTestSpool } from '../testing/spool.ts';
import { openRuntimeDir, removeUnnamed, warnOfDefault } from './runtime-dir.ts';
import { type StateFolder, stateFoldersOf, takeFolder } from './state-folder.ts';

const newFolder = async (name: string): Promise<string> => path.join(await temporaryFolder(), name);

type Taken = StateFolder & { runtime: string };

const take = async (dataDir: string, runtimeDir: string): Promise<Taken> => {
  const folder = path.join(stateFoldersOf(dataDir), '0');
  fs.mkdirSync(folder, { recursive: true });
  const taken = (await takeFolder(folder, runtimeDir))!;
  expect(taken.whyNoRuntime).toBeUndefined();
  return taken as Taken;
};

const spoolIn = async ({ path: folder, runtime }: Taken) =>
  (await openTestSpool({ folder: path.join(folder, 'spool'), journal: path.join(runtime, 'spool') })).spool;

/** Leaves a row in the journal alone, as a process does that is killed while the disk takes nothing. */
const leaveRow = async (state: Taken): Promise<void> => {
  const spool = await spoolIn(state);
  await append(spool, batchOf([{}]));
  fs.rmSync(path.join(state.path, 'spool'), { recursive: true });
};

test('RUNTIME_DIR is created for this user alone', async () => {
  const folder = await newFolder('runtime');
  expect(await openRuntimeDir(folder, '')).toEqual({ path: folder, outlivesContainer: true });
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
});

test.runIf(process.getuid?.() === 0)('RUNTIME_DIR of another user is refused, by name', async () => {
  const folder = await newFolder('runtime');
  fs.mkdirSync(folder, { mode: 0o700 });
  fs.chownSync(folder, 1, 1);
  await expect(openRuntimeDir(folder, '')).rejects.toThrow(`RUNTIME_DIR ${folder} belongs to another user`);
});

test('RUNTIME_DIR that others may write to is refused, by name', async () => {
  const folder = await newFolder('runtime');
  fs.mkdirSync(folder);
  fs.chmodSync(folder, 0o777);
  await expect(openRuntimeDir(folder, '')).rejects.toThrow(
    `RUNTIME_DIR ${folder} can be written by other users`,
  );
});

test('a link to a folder is not taken for RUNTIME_DIR', async () => {
  const folder = await newFolder('runtime');
  fs.symlinkSync(await temporaryFolder(), folder);
  await expect(openRuntimeDir(folder, '')).rejects.toThrow(`RUNTIME_DIR ${folder}`);
});

test.runIf(process.platform === 'linux')(
  'without a setting, RUNTIME_DIR is a folder of this user on /dev/shm',
  async () => {
    const { path: folder } = await openRuntimeDir(undefined, await temporaryFolder());
    expect(folder).toBe(`/dev/shm/waymark-${process.getuid!()}`);
  },
);

test.each([
  ['missing', () => undefined],
  ['not writable', (memory: string) => fs.writeFileSync(memory, 'a file')],
])('without a setting, RUNTIME_DIR is in DATA_DIR if /dev/shm is %s', async (_, make) => {
  const [memory, dataDir] = [await newFolder('shm'), await newFolder('data')];
  make(memory);
  const opened = await openRuntimeDir(undefined, dataDir, memory);
  expect(opened).toMatchObject({ path: path.join(dataDir, 'runtime'), outlivesContainer: true });
  const log = createLog();
  warnOfDefault(opened, log.logger);
  expect(JSON.stringify(log.lines())).toMatch(/RUNTIME_DIR is in DATA_DIR, since \/dev\/shm cannot be used/);
});

test('if RUNTIME_DIR ends with the container, the start warns and names it', () => {
  const log = createLog();
  warnOfDefault({ path: '/dev/shm/waymark-0', outlivesContainer: true }, log.logger);
  expect(log.lines()).toEqual([]);
  warnOfDefault({ path: '/dev/shm/waymark-0', outlivesContainer: false }, log.logger);
  expect(JSON.stringify(log.lines())).toMatch(/waymark-0.*RUNTIME_DIR ends with this container/);
});

test('the next holder of a state folder finds what the last one left in RUNTIME_DIR', async () => {
  const [dataDir, runtimeDir] = [await newFolder('data'), await newFolder('runtime')];
  const first = await take(dataDir, runtimeDir);
  await leaveRow(first);
  await first.release();
  const spool = await spoolIn(await take(dataDir, runtimeDir));
  expect(spool.statistics.recoveredRows).toBe(1);
});

test('two DATA_DIRs that share RUNTIME_DIR never take each other’s rows', async () => {
  const runtimeDir = await newFolder('runtime');
  const [one, other] = [await newFolder('one'), await newFolder('other')];
  const first = await take(one, runtimeDir);
  await leaveRow(first);
  await first.release();
  expect((await spoolIn(await take(other, runtimeDir))).statistics.recoveredRows).toBe(0);
  await removeUnnamed(runtimeDir, stateFoldersOf(other), logger);
  expect((await spoolIn(await take(one, runtimeDir))).statistics.recoveredRows).toBe(1);
});

test('rows are never sent twice if a process with another RUNTIME_DIR has taken over the state folder meanwhile', async () => {
  const dataDir = await newFolder('data');
  const [here, elsewhere] = [await newFolder('here'), await newFolder('elsewhere')];
  const first = await take(dataDir, here);
  const spool = await spoolIn(first);
  await append(spool, batchOf([{}, {}]));
  await first.release();
  // It sends what is on disk, while the rows are still in the memory of the first.
  const second = await take(dataDir, elsewhere);
  expect((await drainRows(await spoolIn(second))).length).toBeGreaterThan(0);
  await second.release();
  const log = createLog();
  const third = await take(dataDir, here);
  expect((await spoolIn(third)).statistics.recoveredRows).toBe(0);
  expect(fs.existsSync(first.runtime)).toBe(true);
  await removeUnnamed(here, stateFoldersOf(dataDir), log.logger);
  expect(JSON.stringify(log.lines())).toContain('no state folder names this folder of RUNTIME_DIR');
  expect(JSON.stringify(log.lines())).toContain(first.runtime);
  // Nothing is deleted that may hold scans.
  expect(fs.readdirSync(path.join(first.runtime, 'spool'))).toHaveLength(1);
});

test('a state folder is not taken while what it has in RUNTIME_DIR cannot be locked: its rows on disk may lack the others', async () => {
  const [dataDir, runtimeDir] = [await newFolder('data'), await newFolder('runtime')];
  const first = await take(dataDir, runtimeDir);
  await leaveRow(first);
  await first.release();
  const lock = `${first.runtime}.lock`;
  fs.rmSync(lock);
  fs.mkdirSync(lock);
  await expect(takeFolder(first.path, runtimeDir)).rejects.toThrow(`cannot open the lock file ${lock}`);
  fs.rmdirSync(lock);
  expect((await spoolIn(await take(dataDir, runtimeDir))).statistics.recoveredRows).toBe(1);
});

test.skipIf(!canMount)(
  'a state folder on a full disk that needs a new place in RUNTIME_DIR has none, keeps no old name, and gets no file',
  async () => {
    const dataDir = await mountDisk();
    const [here, elsewhere] = [await newFolder('here'), await newFolder('elsewhere')];
    const first = await take(dataDir, here);
    await leaveRow(first);
    await first.release();
    const filling = fillDisk(dataDir);
    // It sends what is on disk.
    const second = (await takeFolder(first.path, elsewhere))!;
    expect(second.runtime).toBeUndefined();
    expect(second.whyNoRuntime).toMatchObject({ code: 'ENOSPC' });
    expect(fs.readdirSync(first.path).sort()).toEqual(['id', 'lock']);
    await second.release();
    fs.rmSync(filling);
    expect((await take(dataDir, here)).runtime).not.toBe(first.runtime);
  },
);

test('a process that ends with nothing in RUNTIME_DIR leaves nothing there', async () => {
  const [dataDir, runtimeDir] = [await newFolder('data'), await newFolder('runtime')];
  const state = await take(dataDir, runtimeDir);
  await spoolIn(state);
  await state.release();
  expect(fs.readdirSync(runtimeDir)).toEqual([]);
});

test('a copy of DATA_DIR takes and removes nothing of a process that uses the original', async () => {
  const [dataDir, runtimeDir, copy] = [
    await newFolder('data'),
    await newFolder('runtime'),
    await newFolder('copy'),
  ];
  const first = await take(dataDir, runtimeDir);
  await append(await spoolIn(first), batchOf([{}, {}]));
  fs.mkdirSync(copy);
  fs.cpSync(stateFoldersOf(dataDir), stateFoldersOf(copy), { recursive: true });
  fs.copyFileSync(`${stateFoldersOf(dataDir)}.id`, `${stateFoldersOf(copy)}.id`);
  fs.rmSync(path.join(stateFoldersOf(copy), '0', 'spool'), { recursive: true });
  const second = await take(copy, runtimeDir);
  expect(second.runtime).not.toBe(first.runtime);
  expect((await spoolIn(second)).statistics.recoveredRows).toBe(0);
  await removeUnnamed(runtimeDir, stateFoldersOf(copy), logger);
  expect(fs.readdirSync(path.join(first.runtime, 'spool'))).toHaveLength(1);
});

test('what no state folder names and is empty is removed', async () => {
  const dataDir = await newFolder('data');
  const [here, elsewhere] = [await newFolder('here'), await newFolder('elsewhere')];
  const first = await take(dataDir, here);
  fs.mkdirSync(path.join(first.runtime, 'spool'));
  // As a kill leaves it.
  const left = `${first.runtime}-left`;
  fs.cpSync(first.runtime, left, { recursive: true });
  await first.release();
  await take(dataDir, elsewhere);
  await removeUnnamed(here, stateFoldersOf(dataDir), logger);
  expect(fs.readdirSync(here)).toEqual([]);
});
