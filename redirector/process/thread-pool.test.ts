import fs from 'node:fs';
import { expect, test } from 'vitest';
import { createInstance } from '../testing/instance.ts';

test('a process has a thread for each spool that a disk may hold up, and others beside them', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '1' });
  const { pid } = await instance.start();
  const threads = fs.readdirSync(`/proc/${pid}/task`);
  const names = threads.map((id) => fs.readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim());
  expect(names.filter((name) => name === 'libuv-worker')).toHaveLength(6);
});
