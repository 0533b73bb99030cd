import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { listFolders, takeFolder, takeStateFolder } from './state-folder.ts';

const holder = path.join(import.meta.dirname, '../testing/folder-holder.ts');

/** Starts a process that takes a folder. @returns the folder's number and id */
const startHolder = async (dataDir: string): Promise<{ child: ChildProcess; taken: string }> => {
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  afterFile(() => child.kill('SIGKILL'));
  const [taken] = await once(readline.createInterface({ input: child.stdout }), 'line');
  return { child, taken };
};

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

test('four processes that start together and are killed and restarted five times keep the same four folders', async () => {
  const dataDir = await temporaryFolder();
  const rounds: string[][] = [];
  for (let round = 0; round < 5; round++) {
    const holders = await Promise.all(Array.from({ length: 4 }, () => startHolder(dataDir)));
    rounds.push(holders.map(({ taken }) => taken).sort());
    await Promise.all(holders.map(({ child }) => kill(child)));
  }
  expect(rounds[0]?.map((taken) => taken[0])).toEqual(['0', '1', '2', '3']);
  for (const round of rounds) expect(round).toEqual(rounds[0]);
  expect(await listFolders(dataDir)).toHaveLength(4);
});

const take = (dataDir: string, unusable: string[]) =>
  takeStateFolder(
    dataDir,
    path.join(dataDir, 'runtime'),
    async ({ path: folder }) => fs.readdirSync(path.join(folder, 'spool')),
    (folder) => unusable.push(path.basename(folder)),
  );

test('an unusable folder is skipped, and the next one is taken', async () => {
  const dataDir = await temporaryFolder();
  fs.mkdirSync(path.join(dataDir, 'redirector', '0'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'redirector', '0', 'spool'), 'not a folder');
  fs.mkdirSync(path.join(dataDir, 'redirector', '1', 'spool'), { recursive: true });
  const unusable: string[] = [];
  const { folder } = await take(dataDir, unusable);
  expect(path.basename(folder.path)).toBe('1');
  expect(unusable).toEqual(['0']);
  // No process holds the skipped folder: an operator may inspect it.
  const left = await takeFolder(path.join(dataDir, 'redirector', '0'), path.join(dataDir, 'runtime'));
  expect(left).toBeDefined();
  await Promise.all([folder.release(), left?.release()]);
});

test('the start fails if not even a new folder can be used', async () => {
  const dataDir = await temporaryFolder();
  await expect(take(dataDir, [])).rejects.toThrow('spool');
});
