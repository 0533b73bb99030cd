/**
 * Makes a bundle: the folder that the images of both planes hold. It has the sources that run, and the packages that
 * they need, as they are installed in the checkout. It runs with Node alone, on the platform on which it was made.
 */
import { chmod, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundledDependencies, packageFiles, packageFolders, readManifest, sourceFiles } from './contents.ts';

export interface Bundle {
  files: number;
  bytes: number;
}

/** What a package.json of a bundle has of the checkout's: Node resolves `#shared/` by it, and the API has its version. */
const keptFields = ['name', 'version', 'description', 'license', 'private', 'type', 'engines', 'imports'];

/** Everyone may read a bundle: the user of a container is not the one who made it. */
const modeOf = (mode: number): number => ((mode & 0o111) === 0 ? 0o644 : 0o755);

/** Creates a folder that everyone may enter, whatever the umask is. */
const makeFolder = async (folder: string, made: Set<string>): Promise<void> => {
  if (made.has(folder)) return;
  await makeFolder(path.dirname(folder), made);
  await mkdir(folder);
  await chmod(folder, 0o755);
  made.add(folder);
};

const isEmptyOrMissing = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
};

/**
 * @param root the checkout, whose packages are installed
 * @param folder is created
 * @throws if the folder is not empty, or a package is missing
 */
export const makeBundle = async (root: string, folder: string): Promise<Bundle> => {
  if (!(await isEmptyOrMissing(folder))) throw new Error(`${folder} is not empty`);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const made = new Set([folder]);
  const bundle: Bundle = { files: 0, bytes: 0 };
  const copy = async (from: string, to = from): Promise<void> => {
    const target = path.join(folder, to);
    await makeFolder(path.dirname(target), made);
    await copyFile(path.join(root, from), target);
    const { mode, size } = await stat(target);
    await chmod(target, modeOf(mode));
    bundle.files++;
    bundle.bytes += size;
  };
  for (const file of sourceFiles(root)) await copy(file);
  await copy('deploy/bundle/health.ts', 'health.ts');
  for (const name of packageFolders(root)) for (const file of packageFiles(root, name)) await copy(file);
  const manifest = readManifest(root);
  const kept = Object.fromEntries(keptFields.map((field) => [field, manifest[field]]));
  const dependencies = bundledDependencies(manifest);
  await writeFile(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ ...kept, dependencies }, null, 2)}\n`,
    { mode: 0o644 },
  );
  return bundle;
};
