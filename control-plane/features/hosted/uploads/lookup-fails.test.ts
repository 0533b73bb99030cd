/** Pages whose uploads cannot be looked up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { pageDocumentId } from '#schemas/documents.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createPage, pathOf, uploaded } from './testing/landing-page.ts';
import { plain } from './testing/pictures.ts';

const environment = { TRUSTED_PROXIES: '127.0.0.0/8' };
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment });
  own = await plane.workspace();
});

let colours = 0x101010;
/** A page with a picture that no process has shown yet. */
const pageWithPicture = async () => {
  const id = await createPage(own.call);
  const picture = plain(700, 350, `#${(colours++).toString(16)}`).png();
  const url = await uploaded(own.call, id, await picture.toBuffer());
  return { id, url, avif: `type="image/avif" srcset="${pathOf(url).replace(/[^/]+$/, '')}` };
};

let visitors = 0;
interface Opened {
  status: number;
  html: string;
  etag: string | null;
}

/** Opens the page as a new visitor. On a busy machine PostgreSQL may be too slow for a view; it is then retried. */
const open = async (at: TestControlPlane, id: string): Promise<Opened> => {
  visitors++;
  const { status, body, headers } = await at.callWith(undefined)('GET', `/p/${id}`, undefined, {
    accept: 'text/html',
    'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}`,
  });
  if (status !== 503) return { status, html: String(body), etag: headers.get('etag') };
  await sleep(100);
  return open(at, id);
};

/** What redirectors get of it, from a plane. */
const published = async (at: TestControlPlane, id: string): Promise<string> => {
  const { body } = await at.internal('GET', `/internal/documents?ids=${pageDocumentId(id)}`);
  return String((body as string[])[0]);
};

const failedLookups = async (at: TestControlPlane): Promise<number> => {
  const { body } = await at.internal('GET', '/metrics');
  return Number(/^waymark_image_lookups_failed_total\{[^}]*\} (\d+)$/m.exec(String(body))?.[1]);
};

describe('a page whose uploads cannot be looked up', () => {
  test('shows them like pictures from elsewhere, is published without contents, and is complete again soon', async () => {
    const page = await pageWithPicture();
    // The plane that published the page knows its pictures.
    const { databaseUrl, redisUrl, clickhouseUrl } = plane;
    // Before it starts: it renders the page that waits to be published, and a statement that it has prepared finds the table
    // by any name.
    await plane.pool.query('ALTER TABLE uploaded_images RENAME TO broken_images');
    const second = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl, environment });
    const first = await open(second, page.id);
    expect(await published(second, page.id)).not.toContain('content');
    await plane.pool.query('ALTER TABLE broken_images RENAME TO uploaded_images');
    expect([first.status, first.html.includes(`<img src="${page.url}"`)]).toEqual([200, true]);
    expect(first.html).not.toContain(page.avif);
    expect(await failedLookups(second)).toBeGreaterThan(0);
    const isWhole = async () => {
      const { html, etag } = await open(second, page.id);
      return [html.includes(page.avif), etag !== first.etag];
    };
    await expect.poll(isWhole, { interval: 100 }).toEqual([true, true]);
    expect(await published(second, page.id)).toContain('content');
  });

  test('is rendered once a second for all visitors', async () => {
    const page = await pageWithPicture();
    await plane.pool.query('ALTER TABLE uploaded_images RENAME TO broken_images');
    const before = await rendersOf(plane);
    const startedMs = performance.now();
    for (let n = 0; n < 30; n++) expect((await open(plane, page.id)).status).toBe(200);
    const seconds = (performance.now() - startedMs) / 1_000;
    await plane.pool.query('ALTER TABLE broken_images RENAME TO uploaded_images');
    expect((await rendersOf(plane)) - before).toBeLessThanOrEqual(1 + seconds);
  });
});

const rendersOf = async (at: TestControlPlane): Promise<number> => {
  const { body } = await at.internal('GET', '/metrics');
  return Number(/^waymark_hosted_page_renders_total\{kind="landing_page"\} (\d+)$/m.exec(String(body))?.[1]);
};
