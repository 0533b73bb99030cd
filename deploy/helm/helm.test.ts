/** The chart is the kustomize base with values in it: Helm's own language is not used for anything else. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readManifest } from '../bundle/contents.ts';
import { manifestFiles, readManifestFile } from '../kubernetes/testing/manifests.ts';

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');

const templates = readdirSync(path.join(import.meta.dirname, 'templates'));
const values = parse(read('values.yaml')) as Record<string, unknown>;
const pattern = /\{\{ \.Values\.([A-Za-z.]+) \}\}/g;

const valueAt = (name: string): unknown =>
  name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);

const substituted = (template: string): string =>
  read(`templates/${template}`).replace(pattern, (_, name: string) => {
    const value = valueAt(name);
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`values.yaml has no ${name}`);
    return String(value);
  });

const leaves = (at: unknown, name: string): string[] =>
  typeof at === 'object' && at !== null
    ? Object.entries(at).flatMap(([key, value]) => leaves(value, name === '' ? key : `${name}.${key}`))
    : [name];

test('the templates with the default values are the files of the kustomize base, to the letter', () => {
  expect(templates.toSorted()).toEqual(manifestFiles.toSorted());
  for (const name of templates) expect(substituted(name), name).toBe(readManifestFile(name));
});

test('every value is used', () => {
  const used = templates.flatMap((name) =>
    [...read(`templates/${name}`).matchAll(pattern)].map(([, one]) => one!),
  );
  expect(leaves(values, '').toSorted()).toEqual([...new Set(used)].toSorted());
});

test('the chart has the version of package.json', () => {
  const { version } = readManifest(path.resolve(import.meta.dirname, '../..'));
  expect(parse(read('Chart.yaml'))).toMatchObject({
    apiVersion: 'v2',
    name: 'waymark',
    version,
    appVersion: version,
  });
});
