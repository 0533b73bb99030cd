/** The images of a page, as its document shows them. */
import { beforeAll, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createFindImages } from './find-images.ts';
import { createPage, pathOf, uploaded } from './testing/landing-page.ts';
import { plain } from './testing/pictures.ts';

let plane: TestControlPlane;
let own: Workspace;
let pageId: string;
let url: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  pageId = await createPage(own.call);
  url = await uploaded(own.call, pageId, await plain(1300, 650).png().toBuffer());
});

/** Counts the statements that it sends. */
const countedPool = () => {
  let statements = 0;
  const pool = Object.create(plane.pool, {
    query: {
      value: (...given: Parameters<typeof plane.pool.query>) => {
        statements++;
        return plane.pool.query(...given);
      },
    },
  });
  return { pool, statements: () => statements };
};

const finder = (pool: typeof plane.pool, failures: string[] = []) =>
  createFindImages({ pool, origins, onFailed: (why) => failures.push(why) });

const origins = ['https://qr.example.com', 'https://api.example.com'];

test('uploads of the workspace are found by URL on each origin, in one statement, and afterwards in memory', async () => {
  const { pool, statements } = countedPool();
  const find = finder(pool);
  const onApi = url.replace(origins[0]!, origins[1]!);
  const { images: found } = await find(own.workspaceId, [url, onApi, url.replace('1200.jpg', '640.webp')]);
  expect([...found.keys()]).toEqual([url, onApi, url.replace('1200.jpg', '640.webp')]);
  const image = found.get(url)!;
  expect(image).toMatchObject({ width: 1300, height: 650, widths: [640, 1300] });
  expect(image.placeholder).toMatch(/^data:image\/webp;base64,/);
  expect(image.urlOf(640, 'avif')).toBe(pathOf(url).replace('1200.jpg', '640.avif'));
  for (const width of image.widths)
    for (const format of ['avif', 'webp'] as const)
      expect((await own.call('GET', image.urlOf(width, format))).status).toBe(200);
  await find(own.workspaceId, [url]);
  expect(statements()).toBe(1);
});

test('URLs of other sites cost no statement, and other workspaces’ uploads are shown as they are', async () => {
  const { pool, statements } = countedPool();
  const find = finder(pool);
  const { images: none } = await find(own.workspaceId, [
    'https://example.com/i/111111111111111111111/640.jpg',
    'https://qr.example.com.example.com/i/111111111111111111111/640.jpg',
    'https://qr.example.com/i/111111111111111111111/640.jpg/more',
    'https://qr.example.com/i/short/640.jpg',
    `https://qr.example.com/i/${'1'.repeat(2_000)}`,
    'not a URL',
  ]);
  expect([none.size, statements()]).toEqual([0, 0]);
  const stranger = await plane.workspace();
  expect(await find(stranger.workspaceId, [url])).toEqual({ images: new Map(), isComplete: true });
  expect(statements()).toBe(1);
});

test('a landing page shows its uploads as AVIF and WebP in their sizes, and link previews get the JPEG', async () => {
  const folder = pathOf(url).replace('1200.jpg', '');
  let html = '';
  const open = async () => {
    const seen = await plane.callWith(undefined)('GET', `/p/${pageId}`, undefined, { accept: 'text/html' });
    html = String(seen.body);
    return html;
  };
  // On a busy machine PostgreSQL may be too slow for a view, which then lacks the pictures.
  await expect.poll(open, { interval: 500 }).toContain(`${folder}640.avif 640w`);
  expect(html).toContain(`${folder}1300.webp 1300w`);
  expect(html).toContain(`property="og:image" content="${url}"`);
  expect(html).toContain('data:image/webp;base64,');
});

test('while PostgreSQL hangs, one lookup waits for it, and later ones skip it', async () => {
  const { pool, statements } = countedPool();
  const failures: string[] = [];
  const find = finder(pool, failures);
  const lock = await plane.pool.connect();
  await lock.query('BEGIN; LOCK TABLE uploaded_images IN ACCESS EXCLUSIVE MODE');
  const [first, second] = [await find(own.workspaceId, [url]), await find(own.workspaceId, [url])];
  await lock.query('ROLLBACK');
  lock.release();
  expect([first, second]).toEqual(Array(2).fill({ images: new Map(), isComplete: false }));
  expect([failures, statements()]).toEqual([['late'], 1]);
});
