/** Menus as the control plane serves them. */
import { once } from 'node:events';
import http from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMenuBody } from '#schemas/api/menus.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { cpuOf, longestStep } from '../../testing/longest-step.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace({ plan: 'business' });
});

const open = async (path: string) => {
  const response = await fetch(plane.url + path, { headers: { accept: 'text/html' } });
  return { response, html: await response.text() };
};

const items = [
  { name: 'Soup', dietary: ['Vegan '], allergens: ['celery'] },
  { name: 'Curry', customTags: { taste: ['hot'] } },
];
const menu = {
  name: 'Lunch',
  headline: 'Corner Café',
  sections: [{ name: 'Plates', items }],
  tagCategories: [{ id: 'taste', name: 'Taste', values: ['Hot', 'mild'] }],
};

test('a menu created by the API is a page, filtered by its URL, and a new one after a change', async () => {
  const { status, body } = await own.call('POST', '/api/qr/menus', menu);
  expect(status).toBe(201);
  const { menuId } = body as { menuId: string };
  const whole = await open(`/m/${menuId}`);
  expect(whole.response.status).toBe(200);
  expect(whole.html).toMatch(/<h1[^>]*>Corner Café<\/h1>/);
  expect(whole.html).toContain('<li data-t=0,1,2><h3>Soup</h3>');
  const hot = await open(`/m/${menuId}?tag=taste:hot&utm_source=x`);
  expect(hot.html).toContain('<li data-t=0,1,2 hidden><h3>Soup</h3>');
  expect(hot.html).toContain('<li data-t=3><h3>Curry</h3>');
  expect(hot.response.headers.get('etag')).not.toBe(whole.response.headers.get('etag'));
  expect((await open(`/m/${menuId}?tag=taste:sweet&page=2`)).html).toBe(whole.html);
  await own.call('PATCH', `/api/qr/menus/${menuId}`, { sections: [{ name: 'Plates', items: [items[1]] }] });
  expect((await open(`/m/${menuId}?diet=vegan`)).html).not.toContain('Soup');
});

/**
 * Every field of every item at its limit, except the tags of the menu's own categories: each item has one of each.
 */
const largest = ({ sections: count = 20 } = {}) => {
  const lists = (item: number) => (kind: number) =>
    Array.from({ length: 30 }, (_, at) => `<'&">${item % 7}-${kind}-${at}`.padEnd(40, '&'));
  const ids = Array.from({ length: 10 }, (_, at) => `c${at}`);
  const entry = (number: number) => {
    const list = lists(number);
    return {
      name: '&'.repeat(120),
      description: "'".repeat(500),
      price: '9'.repeat(30),
      allergens: list(10),
      dietary: list(11),
      customTags: Object.fromEntries(ids.map((id, kind) => [id, list(kind).slice(0, 1)])),
      imageUrl: `https://images.example/${number}`.padEnd(2000, 'x'),
    };
  };
  const sections = Array.from({ length: count }, (_, at) => ({
    name: `Section ${at}`,
    description: 'x'.repeat(500),
    items: Array.from({ length: 50 }, (_each, index) => entry(at * 50 + index)),
  }));
  const tagCategories = ids.map((id, kind) => ({ id, name: id.repeat(20), values: lists(0)(kind) }));
  return { name: 'All', sections, tagCategories };
};

describe('a menu with every field at its limit', () => {
  /** Reads the response in parts: joining megabytes would block the event loop that is being measured. */
  const request = async (method: string, path: string, headers: Record<string, string>, sent?: Buffer) => {
    const sending = http.request(plane.url + path, { method, headers });
    sending.end(sent);
    const [response] = (await once(sending, 'response')) as [http.IncomingMessage];
    const parts: Buffer[] = await response.toArray();
    return { status: response.statusCode, text: () => Buffer.concat(parts).toString('latin1') };
  };
  const send = (method: string, path: string, sent: string | Buffer, headers = {}) =>
    request(
      method,
      path,
      { authorization: `Bearer ${own.apiKey}`, 'content-type': 'application/json', ...headers },
      Buffer.from(sent),
    );

  test('is accepted, changed and served without blocking others for long', async () => {
    // A part of the largest: each step takes its share, and a busy machine finishes in time.
    const body = largest({ sections: 8 });
    const json = JSON.stringify(body);
    const bytes = Buffer.from(json);
    // How long reading it in one go takes, on this machine at this moment.
    const readingMs = cpuOf(() => createMenuBody.parse(JSON.parse(json)));
    /** What is long must be long each time: the garbage collector works on this thread, and a busy machine joins steps into one. */
    const steps: Record<string, number> = {};
    const long = () => Object.entries(steps).filter(([, stepMs]) => stepMs > readingMs / 2);
    const watched = async <Made>(what: string, work: () => Promise<Made>): Promise<Made> => {
      const { made, stepMs } = await longestStep(work);
      steps[what] = Math.min(steps[what] ?? Number.POSITIVE_INFINITY, Math.round(stepMs));
      return made;
    };
    const view = async (menuId: string, language: string, query = '') => {
      const { status, text } = await request('GET', `/m/${menuId}${query}`, {
        accept: 'text/html',
        'accept-language': language,
      });
      expect(status).toBe(200);
      return text;
    };
    const walk = async (): Promise<void> => {
      const created = await watched('POST', () => send('POST', '/api/qr/menus', bytes));
      expect(created.status).toBe(201);
      const menuId = /"menuId":"(\w+)"/.exec(created.text())![1]!;
      const path = `/api/qr/menus/${menuId}`;
      const read = await watched('GET', () => send('GET', path, ''));
      expect(JSON.parse(read.text())).toEqual(JSON.parse(created.text()));
      const html = (await watched('first view', () => view(menuId, 'en')))();
      expect(html.split('<h3>')).toHaveLength(401);
      expect(html.split('<input type=checkbox')).toHaveLength(1 + 2 * 40 + 10 * 7);
      await watched('view in German', () => view(menuId, 'de'));
      const query = `?tag=${encodeURIComponent(`c1:${body.tagCategories[1]!.values[0]}`)}`;
      const filtered = await watched('view with a filter', () => view(menuId, 'en', query));
      expect(filtered().match(/\n<li[^>]* hidden>/g)?.length).toBeGreaterThan(300);
      const changed = await watched('PATCH of a field', () => send('PATCH', path, '{"headline":"New"}'));
      expect(changed.status).toBe(200);
      expect((await watched('view after it', () => view(menuId, 'en')))()).toContain(
        '<h1 dir="auto">New</h1>',
      );
      expect((await watched('PATCH of all', () => send('PATCH', path, bytes))).status).toBe(200);
      const refused = await send(
        'PATCH',
        path,
        JSON.stringify({ tagCategories: body.tagCategories.slice(1) }),
      );
      expect([refused.status, refused.text()]).toEqual([
        422,
        expect.stringContaining("tagCategories must have a category with the id 'c0'"),
      ]);
    };
    await walk();
    for (let again = 0; again < 3 && long().length > 0; again++) await walk();
    expect(long(), `of ${readingMs} ms`).toEqual([]);
  });

  test('is read without blocking others, in whatever script it is', async () => {
    const items = Array.from({ length: 1_000 }, (_, n) => ({ name: `I${n}`, description: '😀'.repeat(500) }));
    const sections = Array.from({ length: 20 }, (_, n) => ({
      name: `S${n}`,
      items: items.slice(50 * n, 50 * (n + 1)),
    }));
    const body = Buffer.from(JSON.stringify({ name: 'Emoji', sections }));
    const created = await send('POST', '/api/qr/menus', body);
    expect(created.status).toBe(201);
    const path = `/api/qr/menus/${/"menuId":"(\w+)"/.exec(created.text())![1]!}`;
    const asStringMs = cpuOf(() => Buffer.from(body.toString()));
    let stepMs = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 5; n++) {
      const read = await longestStep(() => send('GET', path, ''));
      stepMs = Math.min(stepMs, read.stepMs);
      expect(JSON.parse(read.made.text())).toEqual(JSON.parse(created.text()));
    }
    expect(stepMs).toBeLessThan(0.6 * asStringMs);
  });

  test('with invalid fields is rejected by their names', async () => {
    const body = largest();
    body.sections[19]!.items[49]!.price = 'x'.repeat(31);
    const answer = await own.call('POST', '/api/qr/menus', body);
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: expect.stringContaining('sections[19].items[49].price'), code: 'UNPROCESSABLE' },
    ]);
  });

  test('is created once per idempotency key, and its answer is repeated', async () => {
    const text = JSON.stringify(largest());
    expect(text.length).toBeGreaterThan(5.5 * 2 ** 20);
    const create = (sent: string) =>
      send('POST', '/api/qr/menus', sent, { 'waymark-idempotency-key': 'largest' });
    const first = await create(text);
    expect(first.status).toBe(201);
    expect((await create(text)).text() === first.text()).toBe(true);
    expect((await create(`${text} `)).status).toBe(422);
  });
});
