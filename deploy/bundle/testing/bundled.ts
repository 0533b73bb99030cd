/** Programs of a bundle, as a container runs them: by a user without privileges, with no file of the checkout. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterFile, freePort, temporaryFolder } from '../../testing/local.ts';
import { makeBundle } from '../bundle.ts';

export const root = path.resolve(import.meta.dirname, '../../..');

/** The user `nonroot` of the distroless images. */
const nonroot = 65_532;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: nonroot, gid: nonroot } : {};

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  child: ChildProcess;
  /** Both outputs so far. */
  output(): string;
  exited: Promise<number | null>;
}

export interface BundleHome {
  /** The bundle itself, which the user may only read. */
  bundle: string;
  /** Ports, and the folders that the user may write. */
  environment: Record<string, string>;
  start(args: readonly string[], environment: Record<string, string>): Program;
  /** Resolves once it has ended. */
  run(args: readonly string[], environment: Record<string, string>): Promise<Outcome>;
}

/** A folder that only the user may enter. */
const makeOwn = async (folder: string): Promise<string> => {
  await mkdir(folder, { mode: 0o700 });
  if (isRoot) await chown(folder, nonroot, nonroot);
  return folder;
};

const ports = async (): Promise<Record<string, string>> => {
  const names = ['CONTROL_PLANE', 'CONTROL_PLANE_INTERNAL', 'REDIRECTOR', 'REDIRECTOR_INTERNAL'];
  const chosen = await Promise.all(names.map(async (name) => [`${name}_PORT`, String(await freePort())]));
  return Object.fromEntries(chosen);
};

/** A bundle in a temporary folder, with a copy of Node beside it: the checkout may be out of the reach of the user. */
export const createBundleHome = async (): Promise<BundleHome> => {
  const home = await temporaryFolder();
  await chmod(home, 0o755);
  const bundle = path.join(home, 'bundle');
  await makeBundle(root, bundle);
  const node = path.join(home, 'node');
  await copyFile(process.execPath, node);
  const environment = {
    ...(await ports()),
    HOST: '127.0.0.1',
    REDIRECTOR_WORKERS: '2',
    NODE_ENV: 'production',
    // As the images set it: the user need not be in /etc/passwd.
    HOME: '/tmp',
    DATA_DIR: await makeOwn(path.join(home, 'data')),
    TMPDIR: await makeOwn(path.join(home, 'tmp')),
    RUNTIME_DIR: path.join(await makeOwn(path.join(home, 'memory')), 'scans'),
  };
  const spawnNode = (args: readonly string[], more: Record<string, string>) =>
    spawn(node, args, { cwd: bundle, env: { ...environment, ...more }, ...user });
  return {
    bundle,
    environment,
    start(args, more) {
      const child = spawnNode(args, more);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      afterFile(async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await exited;
      });
      return { child, output: () => output, exited };
    },
    async run(args, more) {
      const child = spawnNode(args, more);
      const outcome: Outcome = { code: null, stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].on('data', (chunk: Buffer) => {
          outcome[name] += chunk.toString();
        });
      }
      outcome.code = await new Promise((resolve) => child.once('close', resolve));
      return outcome;
    },
  };
};
