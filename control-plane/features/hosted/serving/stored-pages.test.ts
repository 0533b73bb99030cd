import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { startTestRedis } from '../../../../deploy/testing/redis.ts';
import type { HostedPage } from '../hosted-page.ts';
import { asLarge } from '../large/tasks.ts';
import type { PageChange } from '../page-change.ts';
import { createStoredPages, type StoredPages } from './stored-pages.ts';

let redis: Redis;
let stored: StoredPages;

beforeAll(async () => {
  const { url } = await startTestRedis();
  redis = createRedis(url, { name: 'test', commandTimeoutMs: 5_000 }, createLogger('test', 'silent'));
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  stored = createStoredPages(redis, 'this-build');
});

let pages = 0;
const newId = () => `menu_${++pages}`;

const pageOf = (id: string, version: number): HostedPage => ({
  id,
  workspaceId: 'w',
  kind: 'menu',
  name: 'Lunch',
  status: 'active',
  version,
  content: {},
  createdAt: new Date(0),
  updatedAt: new Date(version * 1_000),
});
const write = (id: string, version: number) =>
  stored.write(pageOf(id, version), `${version}`, {
    html: `<p>version ${version}`,
    contentSecurityPolicy: 'none',
  });
const mark = (id: string, version: number, state: PageChange['state']) =>
  stored.mark({ id, kind: 'menu', state, changedAtMs: version * 1_000 });
const htmlOf = async (id: string) => (await stored.read(id))?.document?.html;

test('a newer version takes the place of an older one, and an older one that comes late does not', async () => {
  const id = newId();
  await write(id, 2);
  await write(id, 1);
  expect(await htmlOf(id)).toBe('<p>version 2');
  await write(id, 3);
  expect(await htmlOf(id)).toBe('<p>version 3');
});

test('a document that another build has rendered is not taken, its page is', async () => {
  const id = newId();
  await write(id, 1);
  expect(await htmlOf(id)).toBe('<p>version 1');
  const other = await createStoredPages(redis, 'other-build').read(id);
  expect(other).toEqual({ page: pageOf(id, 1), revision: '1' });
});

test('a change takes away what it replaces, and a slow renderer cannot bring that back', async () => {
  for (const state of ['active', 'paused', 'deleted'] as const) {
    const id = newId();
    await write(id, 1);
    await mark(id, 2, state);
    await write(id, 1);
    expect(await redis.hgetall(`hosted-page:${id}`)).toEqual({ changedAtMs: '2000', state, kind: 'menu' });
    expect(await redis.pttl(`hosted-page:${id}`)).toBeGreaterThan(0);
    expect(await stored.read(id)).toBeUndefined();
    expect(await stored.readState(id)).toEqual({ id, kind: 'menu', state, changedAtMs: 2_000 });
  }
});

test('a page that was stored after the change stays where the change is marked once more', async () => {
  const id = newId();
  await mark(id, 2, 'active');
  await write(id, 2);
  await mark(id, 2, 'active');
  await mark(id, 1, 'paused');
  expect(await htmlOf(id)).toBe('<p>version 2');
});

test('a deletion is final, also of what is newer, as after a restore of the database', async () => {
  const id = newId();
  await write(id, 5);
  await mark(id, 3, 'deleted');
  await write(id, 5);
  expect(await stored.read(id)).toBeUndefined();
  expect(await stored.readState(id)).toMatchObject({ state: 'deleted', changedAtMs: 5_000 });
});

test('a large menu is stored as other processes and earlier releases read it, and held without parsing it again', async () => {
  const content = { theme: { accent: '#0c4a6e' }, headline: 'x'.repeat(100_000) };
  const whole = { ...pageOf(newId(), 1), language: 'de', content };
  const large = asLarge(whole);
  await stored.write(large, '1', { html: '<p>', contentSecurityPolicy: 'none' });
  expect(JSON.parse((await redis.hget(`hosted-page:${whole.id}`, 'page')) ?? '')).toEqual({
    ...whole,
    createdAt: whole.createdAt.toISOString(),
    updatedAt: whole.updatedAt.toISOString(),
  });
  const read = await stored.read(whole.id);
  expect(read?.page).toEqual(large);
});
