/** The compose form, as far as it can be checked without Docker: its schema, its references, and what the planes read. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DCLinter } from 'dclint';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { loadConfig, variableNames } from '#shared/config.ts';
import { sourceFiles } from '../bundle/contents.ts';

const root = path.resolve(import.meta.dirname, '../..');
const file = path.join(import.meta.dirname, 'compose.yaml');

interface Service {
  image: string;
  command?: string[];
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  networks?: string[];
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  stop_grace_period?: string;
  read_only?: boolean;
}

interface Finding {
  line: number;
  rule: string;
  message: string;
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, { driver_opts?: { type: string } } | null>;
  networks: Record<string, unknown>;
}

const required = [
  'SECRET_KEY',
  'POSTGRES_PASSWORD',
  'DATABASE_PASSWORD',
  'VALKEY_PASSWORD',
  'CLICKHOUSE_PASSWORD',
];
const dotEnv = Object.fromEntries(required.map((name) => [name, name.toLowerCase().repeat(4)]));

/** As Compose does it: `${NAME}`, `${NAME:-default}` and `${NAME:?why not}`. */
const interpolated = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest = '') => {
    const value = env[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name} ${rest}`);
    return value === '' && kind === '-' ? rest : value;
  });

const read = (env: Record<string, string>): Compose => {
  const document = parseDocument(interpolated(readFileSync(file, 'utf8'), env), { merge: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS() as Compose;
};

const { services, volumes, networks } = read(dotEnv);
const planes = ['control-plane', 'redirector'] as const;

test('the linter of compose files finds nothing, and its schema knows every key', () => {
  const rules = {
    // The image of a build gets the name under which `migrate` and `memory` use it.
    'no-build-and-image': 0 as const,
    // What a container is comes first here, and how it is checked last.
    'service-keys-order': 0 as const,
    // As the formatter of the project writes them.
    'require-quotes-in-ports': [1, { quoteType: 'double' }] satisfies [1, object],
  };
  // The types of the package do not resolve under Node's rules.
  const linter: { lintFiles(paths: string[], isRecursive: boolean): { messages: Finding[] }[] } =
    new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const findings = linter.lintFiles([file], false).flatMap(({ messages }) => messages);
  expect(findings.map(({ line, rule, message }) => `${line} ${rule}: ${message}`)).toEqual([]);
});

test.each(planes)('the %s takes its settings, and ends within its grace', (plane) => {
  const { environment = {}, stop_grace_period, read_only } = services[plane]!;
  expect(Object.keys(environment).filter((name) => !variableNames.includes(name))).toEqual([]);
  const config = loadConfig(environment);
  expect(config).toMatchObject({ internalHost: '0.0.0.0', qrHost: 'http://localhost:8080' });
  expect(Number.parseInt(stop_grace_period!, 10)).toBeGreaterThanOrEqual(config.shutdownGraceMs / 1000 + 20);
  expect(read_only).toBe(true);
});

test.each(required)('a start without %s says that it is not set', (name) => {
  expect(() => read({ ...dotEnv, [name]: '' })).toThrow(`${name} is not set in .env`);
});

test('volumes, networks and dependencies exist, and every volume is mounted', () => {
  const mounted = new Set<string>();
  for (const { volumes: mounts = [], networks: joined = [], depends_on = {} } of Object.values(services)) {
    for (const mount of mounts.filter((one) => !one.startsWith('.'))) mounted.add(mount.split(':')[0]!);
    for (const name of joined) expect(networks).toHaveProperty(name);
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const isChecked = services[name]!.healthcheck?.test !== undefined;
      expect(isChecked).toBe(condition === 'service_healthy');
    }
  }
  expect([...mounted].toSorted()).toEqual(Object.keys(volumes).toSorted());
});

test('the journal is in memory that another container keeps while the redirector restarts', () => {
  expect(volumes.memory!.driver_opts!.type).toBe('tmpfs');
  const mount = 'memory:/run/waymark';
  expect(services.redirector!.volumes).toContain(mount);
  expect(services.memory!.volumes).toEqual([mount]);
  expect(path.dirname(services.redirector!.environment!.RUNTIME_DIR!)).toBe('/run/waymark');
});

test('ports are open on this machine only, and those of the databases and the internal ones not at all', () => {
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(published.toSorted()).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:8080:8080']);
});

test('what the images run is in the bundle', () => {
  expect(sourceFiles(root)).toContain(services.migrate!.command![0]);
  expect(services.migrate!.image).toBe(services['control-plane']!.image);
  for (const plane of planes) {
    const { build, healthcheck } = services[plane]!;
    expect(path.resolve(import.meta.dirname, build!.context)).toBe(root);
    expect(build!.dockerfile).toBe(`deploy/docker/${plane}.Dockerfile`);
    expect(healthcheck!.test).toEqual(['CMD', '/nodejs/bin/node', 'health.ts', plane, 'ready']);
  }
});
