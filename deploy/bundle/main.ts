/**
 * `npm run bundle -- [folder]`: makes a bundle. The folder must be empty or missing; without one, `.bundle` is made
 * again. It needs no package, so that a Dockerfile can run it.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeBundle } from './bundle.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ownFolder = path.join(root, '.bundle');

const [given, ...further] = process.argv.slice(2);
if (further.length > 0 || given?.startsWith('-')) {
  console.error('Usage: npm run bundle -- [folder]');
  process.exit(2);
}
if (given === undefined) await rm(ownFolder, { recursive: true, force: true });
const folder = given === undefined ? ownFolder : path.resolve(given);
try {
  const { files, bytes } = await makeBundle(root, folder);
  console.log(`${files} files, ${Math.round(bytes / 1e6)} MB, in ${folder}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
