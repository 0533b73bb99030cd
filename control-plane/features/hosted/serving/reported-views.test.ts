/** Views that redirectors report, with a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestControlPlane } from '../../../testing/control-plane.ts';

const plane = await startTestControlPlane();
const own = await plane.workspace();

const create = async (): Promise<string> => {
  const answer = await own.call('POST', '/api/qr/landing-pages', { name: 'Page', headline: 'Page' });
  return (answer.body as { pageId: string }).pageId;
};
const viewsOf = async (id: string): Promise<number> =>
  ((await own.call('GET', `/api/qr/landing-pages/${id}`)).body as { viewCount: number }).viewCount;
const report = (ids: readonly string[], segment: string = randomUUID()) =>
  plane.internal(
    'POST',
    `/internal/hosted/views?segment=${segment}`,
    ids.map((id) => `{"id":"${id}"}\n`).join(''),
  );

test('the views of a segment count once, however often it is sent', async () => {
  const [one, other] = [await create(), await create()];
  const segment = randomUUID();
  for (const repeated of [false, true])
    expect(await report([one, other, one], segment)).toMatchObject({
      status: 200,
      body: { repeated, counted: repeated ? 0 : 3, rejected: 0 },
    });
  await Promise.all(Array.from({ length: 8 }, () => report([one])));
  expect([await viewsOf(one), await viewsOf(other)]).toEqual([10, 1]);
});

test('a line that is no view, and a page that does not exist, cost no other view', async () => {
  const id = await create();
  const segment = randomUUID();
  const body = `{"id":"${id}"}\nnonsense\n{"id":"page_1111111111111111"}\n{"id":5}\n{"id":"\\u0000"}\n{"id":"${id}"}\n`;
  expect(await plane.internal('POST', `/internal/hosted/views?segment=${segment}`, body)).toMatchObject({
    status: 200,
    body: { repeated: false, counted: 3, rejected: 3 },
  });
  expect(await viewsOf(id)).toBe(2);
  const { rows } = await plane.pool.query(
    'SELECT line, problem FROM hosted_rejected_views WHERE segment = $1 ORDER BY line',
    [segment],
  );
  expect(rows).toEqual([
    { line: 2, problem: 'not_json' },
    { line: 4, problem: 'not_an_event' },
    { line: 5, problem: 'not_an_event' },
  ]);
});

test('views are taken from redirectors only', async () => {
  const sent = await fetch(`${plane.internalUrl}/internal/hosted/views?segment=x`, {
    method: 'POST',
    body: '',
  });
  expect(sent.status).toBe(401);
});
