/** What is published of hosted pages: their documents, as redirectors get them. */
import { expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import { documentKey, pageDocumentId, pageDocuments, parseDocument } from '#schemas/documents.ts';
import type { PageDocument } from '#schemas/page-document.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';

const plane = await startTestControlPlane();
const own = await plane.workspace();
const redis = createRedis(
  plane.redisUrl,
  { name: 'test', commandTimeoutMs: 10_000 },
  createLogger('test', 'silent'),
);
afterFile(() => redis.disconnect());
await untilReady(redis);

/** @returns its id */
const create = async (path: string, body: object): Promise<string> => {
  const answer = await own.call('POST', `/api/qr/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { pageId, menuId } = answer.body as { pageId?: string; menuId?: string };
  return pageId ?? menuId!;
};

const english = 'Everything that we bake today is made by hand, and with flour from the mill next door';
const landingPage = (headline = english) => create('landing-pages', { name: 'Bakery', headline });
/** @param text of each item */
const menu = (items: number, text: (n: number) => string) =>
  create('menus', {
    name: 'Lunch',
    headline: english,
    sections: Array.from({ length: items / 50 }, (_, section) => ({
      name: `Section ${section}`,
      items: Array.from({ length: 50 }, (__, n) => ({
        name: `Dish ${section}.${n}`,
        description: text(section * 50 + n),
      })),
    })),
  });

const lookUp = async (id: string): Promise<PageDocument> => {
  const { body } = await plane.internal('GET', `/internal/documents?ids=${pageDocumentId(id)}`);
  return parseDocument(pageDocuments, (body as string[])[0]!);
};

const rendersOf = async (kind: string): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  return Number(
    new RegExp(`^waymark_hosted_page_renders_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(String(body))?.[1],
  );
};

test('the change stream has the version of a changed page, and Redis its document', async () => {
  const id = await landingPage();
  await own.call('PATCH', `/api/qr/landing-pages/${id}`, { headline: `${english}, and more` });
  const announced = (await redis.xrange(recordStream, '-', '+'))
    .map(([, [, value, , about]]) => [about, value])
    .filter(([about]) => about === pageDocumentId(id));
  expect(announced.at(-1)).toEqual([pageDocumentId(id), '2']);
  const text = (await redis.get(documentKey(pageDocumentId(id))))!;
  expect(parseDocument(pageDocuments, text)).toMatchObject({
    version: 2,
    status: 'active',
    kind: 'landing_page',
  });
});

test('a deletion is published before it is answered', async () => {
  const id = await landingPage();
  expect((await own.call('DELETE', `/api/qr/landing-pages/${id}`)).status).toBe(204);
  const text = (await redis.get(documentKey(pageDocumentId(id))))!;
  const document = parseDocument(pageDocuments, text);
  expect([document.version, document.content, document.contents]).toEqual([2, undefined, undefined]);
});

test('a page that was restored to an earlier point is published as it is now, though its version comes twice', async () => {
  const id = await landingPage();
  const before = await lookUp(id);
  await plane.pool.query(
    `UPDATE hosted_pages SET content = jsonb_set(content, '{headline}', to_jsonb($2::text)),
       updated_at = updated_at - interval '1 hour' WHERE id = $1`,
    [id, `${english}, as it was`],
  );
  const after = await lookUp(id);
  expect(after.version).toBe(before.version);
  expect(after.content!.tag).not.toBe(before.content!.tag);
});

test("a page in its own language is rendered once for each version; one in the visitor's, in each language", async () => {
  const before = await rendersOf('landing_page');
  const [clear, unclear] = [await landingPage(), await landingPage('XK 200')];
  for (let n = 0; n < 3; n++) {
    expect(Object.keys(await lookUp(clear))).toContain('content');
    const { content, contents } = await lookUp(unclear);
    expect([content, Object.keys(contents!).sort()]).toEqual([
      undefined,
      ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'nl', 'pt'],
    ]);
  }
  expect((await rendersOf('landing_page')) - before).toBe(10);
});

test('a large menu is published', async () => {
  const { content } = await lookUp(await menu(300, (n) => `${english} ${n}`));
  expect(content!.bytes).toBeGreaterThan(50_000);
});

test.each([
  ['HTML', 1_000, () => '& '.repeat(249)],
  ['Brotli', 400, () => Array.from({ length: 44 }, () => Math.random().toString(36).slice(2, 12)).join(' ')],
] as const)(
  'a menu with too much %s is not, and is rendered once for all who ask',
  async (_, items, text) => {
    const id = await menu(items, text);
    const { content, contents } = await lookUp(id);
    expect([content, contents]).toEqual([undefined, undefined]);
    const renders = await rendersOf('menu');
    for (let n = 0; n < 3; n++) await lookUp(id);
    expect(await rendersOf('menu')).toBe(renders);
  },
);

test('a deleted page is a document without contents', async () => {
  const id = await landingPage();
  expect(await lookUp(id)).toHaveProperty('content');
  await own.call('DELETE', `/api/qr/landing-pages/${id}`);
  expect(await lookUp(id)).toEqual({
    id: pageDocumentId(id),
    version: 2,
    ...{ workspaceId: own.workspaceId, kind: 'landing_page', status: 'active' },
  });
});
