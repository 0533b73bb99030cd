/**
 * A program for tests: takes a state folder in the given DATA_DIR, as a redirector does, and holds it until it is
 * killed.
 */
import path from 'node:path';
import { takeStateFolder } from '../instance/state-folder.ts';

const { folder } = await takeStateFolder(
  process.argv[2] ?? '',
  path.join(process.argv[2] ?? '', 'runtime'),
  async () => undefined,
  (left, error) => console.log(left, error),
);
console.log(`${path.basename(folder.path)} ${folder.id}`);
setInterval(() => undefined, 60_000);
