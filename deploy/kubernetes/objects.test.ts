/** Each object is what Kubernetes takes, by the schemas and types of kubernetes-models. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Model, ModelConstructor } from '@kubernetes-models/base';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { afterFile } from '../testing/local.ts';
import { hasProgram } from '../testing/programs.ts';
import {
  baseFolder,
  type KubernetesObject,
  manifestFiles,
  objects,
  parseObjects,
  readManifestFile,
} from './testing/manifests.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The module with the class and the type of an object. */
const moduleOf = ({ apiVersion, kind }: KubernetesObject): string => {
  const isGateway = apiVersion.startsWith('gateway.networking.k8s.io/');
  return `${isGateway ? '@kubernetes-models/gateway-api' : 'kubernetes-models'}/${apiVersion}/${kind}`;
};

const modelOf = async (object: KubernetesObject): Promise<Model<unknown>> => {
  const module = (await import(moduleOf(object))) as Record<string, ModelConstructor<unknown>>;
  return new module[object.kind]!(object);
};

test('the kustomization lists every file', () => {
  const { resources } = parse(readManifestFile('kustomization.yaml')) as { resources: string[] };
  expect(resources.toSorted()).toEqual(manifestFiles.toSorted());
});

test('every object is valid by the schema of its kind, and a wrong one is not', async () => {
  expect(objects.length).toBeGreaterThan(12);
  for (const object of objects) {
    const model = await modelOf(object);
    expect(() => model.validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
  }
  const claims = {
    ...objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler')!,
    spec: { maxReplicas: 'ten' },
  };
  const wrong = await modelOf(claims);
  expect(() => wrong.validate()).toThrow();
});

/** A program that the compiler accepts if each object has only the fields of its type, and if a further one is an error. */
const programOf = (): string => {
  const lines = objects.map((object, at) => {
    const type = `import('${moduleOf(object)}').I${object.kind}`;
    const withFurther = { ...object, spec: { ...object.spec, misspelt: 1 } };
    return [
      `export const object${at}: ${type} = ${JSON.stringify(object)};`,
      '// @ts-expect-error a field that the type does not have',
      `export const wrong${at}: ${type} = ${JSON.stringify(withFurther)};`,
    ].join('\n');
  });
  return lines.join('\n');
};

test('no object has a field that its kind does not have', async () => {
  // Inside the project, where the compiler finds the packages.
  const folder = path.join(root, `node_modules/.cache/manifests-${process.pid}`);
  await mkdir(folder, { recursive: true });
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'objects.ts');
  await writeFile(program, programOf());
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  const outcome = await run(process.execPath, [compiler, ...options, '--target', 'es2024', program]).catch(
    (error: { stdout: string }) => error,
  );
  expect(outcome.stdout).toBe('');
});

const sorted = (some: readonly KubernetesObject[]) =>
  some.toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

test.skipIf(!hasProgram('kubectl'))('kustomize builds these very objects of the base', async () => {
  const { stdout } = await run('kubectl', ['kustomize', baseFolder]);
  expect(sorted(parseObjects(stdout))).toEqual(sorted(objects));
});

test.skipIf(!hasProgram('kubectl'))(
  'the example changes names and images of the base, and its objects are valid',
  async () => {
    const { stdout } = await run('kubectl', ['kustomize', path.join(import.meta.dirname, 'example')]);
    const built = parseObjects(stdout);
    expect(built).toHaveLength(objects.length);
    for (const object of built) (await modelOf(object)).validate();
    expect(new Set(built.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['waymark']));
    expect(stdout).not.toMatch(/example\.com"?$|image: waymark\//m);
  },
);
