/** The examples, created by calls to a real control plane. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { landingPageList } from '#schemas/api/landing-pages.ts';
import { menuList, menusMax } from '#schemas/api/menus.ts';
import { loadSettings } from '#shared/config.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../control-plane/testing/control-plane.ts';
import { temporaryFolder } from '../../testing/local.ts';
import { showExamples } from './examples.ts';
import { planExamples } from './plan.ts';
import { type Example, readRecord } from './record.ts';

let plane: TestControlPlane;
let workspace: Workspace;
let dataDir: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
});

const pagesSchema = { '/api/qr/landing-pages': landingPageList, '/api/qr/menus': menuList } as const;

const listOf = async <Path extends keyof typeof pagesSchema>(
  target: Path,
): Promise<z.output<(typeof pagesSchema)[Path]>> => {
  const { body } = await workspace.call('GET', target);
  return pagesSchema[target].parse(body) as z.output<(typeof pagesSchema)[Path]>;
};

afterEach(async () => {
  for (const { pageId } of (await listOf('/api/qr/landing-pages')).pages)
    await workspace.call('DELETE', `/api/qr/landing-pages/${pageId}`);
  for (const { menuId } of (await listOf('/api/qr/menus')).menus)
    await workspace.call('DELETE', `/api/qr/menus/${menuId}`);
});

const settingsOf = (environment: Record<string, string> = {}) =>
  loadSettings({
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: new URL(plane.url).port,
    ...environment,
  });

/** Starts with this folder. @returns its output */
const start = async (
  environment: Record<string, string> = {},
  signal = new AbortController().signal,
): Promise<string> => {
  const settings = settingsOf(environment);
  let said = '';
  const say = (line: string): void => {
    said += `${line}\n`;
  };
  await planExamples(settings);
  await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
  await showExamples({ settings, apiKey: workspace.apiKey, say, signal });
  return said;
};

const examplesIn = async (): Promise<Example[]> => {
  const record = await readRecord(dataDir);
  return record?.state === 'made' ? record.examples : [];
};

test('deleted examples are not shown, and do not come back', async () => {
  dataDir = await temporaryFolder();
  const first = await start();
  expect(first).toMatch(
    /^landing page {2}http:\/\/localhost:8080\/p\/\S+ {2}http:\/\/localhost:8080\/r\/\S+$/m,
  );
  expect(first).toMatch(/^menu {10}http:\/\/localhost:8080\/m\/\S+ {2}http:\/\/localhost:8080\/r\/\S+$/m);
  expect(first).toMatch(/^form {10}http:\/\/localhost:8080\/f\/\S+ {2}http:\/\/localhost:8080\/r\/\S+$/m);
  expect(await start()).toBe(first);

  const [landingPage, menu] = await examplesIn();
  await workspace.call('DELETE', landingPage!.resource);
  await workspace.call('DELETE', menu!.code!.resource);
  const later = await start();
  expect(later).not.toContain('landing page');
  expect(later).toMatch(/^menu {10}http:\/\/localhost:8080\/m\/\S+$/m);
  expect(later).toMatch(/^form .* {2}http:\/\/localhost:8080\/r\/\S+$/m);
  expect((await listOf('/api/qr/landing-pages')).pages).toEqual([]);
});

test('an example that cannot be created affects only itself, and the links of the others to it', async () => {
  dataDir = await temporaryFolder();
  for (let count = 0; count < menusMax; count += 1)
    await workspace.call('POST', '/api/qr/menus', { name: 'full' });
  const said = await start();
  expect(said).toMatch(/^there is no example of a menu: POST \/api\/qr\/menus: 409 .+$/m);
  const titles = (await examplesIn()).map(({ title }) => title);
  expect(titles).toEqual(['landing page', 'form']);
  const [page] = (await listOf('/api/qr/landing-pages')).pages;
  expect(page?.buttons.map(({ id }) => id)).toEqual(['seats', 'bread', 'call', 'find']);
});

test('examples of an interrupted start are removed, and created by the next one', async () => {
  dataDir = await temporaryFolder();
  const stopping = new AbortController();
  const stopped = start({}, stopping.signal);
  await expect
    .poll(() => readRecord(dataDir), { interval: 1 })
    .toMatchObject({ state: 'begun', resources: [expect.stringContaining('/landing-pages/')] });
  stopping.abort();
  expect(await stopped).toBe('');
  const [unfinished] = (await listOf('/api/qr/landing-pages')).pages;
  expect(await readRecord(dataDir)).toMatchObject({ state: 'begun' });

  expect(await start()).toContain('to remove them');
  const { pages } = await listOf('/api/qr/landing-pages');
  expect(pages).toHaveLength(1);
  expect(pages[0]?.pageId).not.toBe(unfinished?.pageId);
});

test('a used folder, external databases, and EXAMPLES=false have none', async () => {
  dataDir = await temporaryFolder();
  await mkdir(path.join(dataDir, 'postgres'));
  expect(await start()).toBe('');
  dataDir = await temporaryFolder();
  expect(await start({ REDIS_URL: 'redis://redis.example' })).toBe('');
  dataDir = await temporaryFolder();
  expect(await start({ EXAMPLES: 'false' })).toBe('');
  // They are not created later, either.
  expect(await start()).toBe('');
  expect((await listOf('/api/qr/landing-pages')).pages).toEqual([]);
});

test('an unreadable file is named, and affects only the examples', async () => {
  dataDir = await temporaryFolder();
  const file = path.join(dataDir, 'examples.json');
  await writeFile(file, '{"state":');
  expect(await start()).toBe(`the example pages are not shown: ${file} cannot be read\n`);
});
