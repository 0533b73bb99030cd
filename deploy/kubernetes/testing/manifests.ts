/** The objects of the kustomize base, read as YAML. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

export const baseFolder = path.resolve(import.meta.dirname, '../base');

/** An object of Kubernetes; the schemas of kubernetes-models say what is in it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a type of its own, which the compiler checks in objects.test.ts
  [field: string]: any;
}

/** The files with objects: every file but the list of them. */
export const manifestFiles: readonly string[] = readdirSync(baseFolder).filter(
  (name) => name !== 'kustomization.yaml',
);

export const readManifestFile = (name: string): string => readFileSync(path.join(baseFolder, name), 'utf8');

/** @throws for YAML with an error or a key that comes twice */
export const parseObjects = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw problem;
    return document.toJS() as KubernetesObject;
  });

export const objects: readonly KubernetesObject[] = manifestFiles.flatMap((name) =>
  parseObjects(readManifestFile(name)),
);

export const objectOf = (kind: string, name: string): KubernetesObject => {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
  return found;
};

/** What makes pods, by the name of each. */
export const workloads: readonly KubernetesObject[] = objects.filter((one) =>
  ['Deployment', 'StatefulSet', 'Job'].includes(one.kind),
);
