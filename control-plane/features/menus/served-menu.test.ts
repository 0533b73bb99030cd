/** Menus as the control plane serves them. */
import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';

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

test('a menu that is made by the API is a page, filtered by its address, and another one after a change', async () => {
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

test('the largest menu that the API takes is served', async () => {
  const tags = (from: number) => Array.from({ length: 30 }, (_, at) => `<'&">${from + at}`.padEnd(30, '&'));
  const sections = Array.from({ length: 20 }, (_, at) => ({
    name: `Section ${at}`,
    items: Array.from({ length: 50 }, (_, index) => {
      const number = (at * 50 + index) * 30;
      const [allergens, dietary] = [tags(number), tags(number)];
      return { name: '&'.repeat(120), description: "'".repeat(500), allergens, dietary };
    }),
  }));
  const body = { name: 'All', sections };
  expect(JSON.stringify(body).length).toBeGreaterThan(2.5 * 2 ** 20);
  const created = await own.call('POST', '/api/qr/menus', body);
  expect(created.status).toBe(201);
  const { response, html } = await open(`/m/${(created.body as { menuId: string }).menuId}`);
  expect(response.status).toBe(200);
  expect([...html.matchAll(/<h3>/g)]).toHaveLength(1000);
  expect([...html.matchAll(/<input type=checkbox/g)]).toHaveLength(80);
});
