/** The durations of requests, as Prometheus reads them. */
import { expect, test } from 'vitest';
import { createRecord, startTestRedirector } from '../testing/redirector.ts';

const name = 'http_server_request_duration_seconds';

/** The value of the line with these labels, or 0. */
const figureOf = (text: string, kind: string, labels: Record<string, string>): number => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`${name}_${kind}{`) && wanted.every((label) => each.includes(label)));
  return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? 0);
};

test('each answered request is counted once, by its route and its status, in every bound that is not below its time', async () => {
  const t = await startTestRedirector();
  await t.connected();
  const { id } = await t.published();
  const before = await t.redirector.metrics.metrics();
  const requests: [path: string, init: RequestInit, route: string, status: string][] = [
    [`/r/${id}`, {}, '/r/{id}', '302'],
    [`/r/${id}`, { method: 'HEAD' }, '/r/{id}', '302'],
    [`/r/${id}`, { method: 'PUT' }, '/r/{id}', '405'],
    [`/r/${createRecord().id}`, {}, '/r/{id}', '404'],
    ['/r/no-such-alias', {}, '/r/{id}', '404'],
    ['/v/7Yh2kPq9RsTu/2b4Cd6Ef8Gh1Jk3M', {}, '/v/{itemId}/{signature}', '404'],
    ['/api/verify/serial', {}, '/api/verify/serial', '405'],
    ['/p/page_1111111111111111', {}, 'passthrough', '200'],
    ['/01/09506000134352', {}, 'gs1', '404'],
    ['/api/qr/codes', {}, 'passthrough', '200'],
    ['/fonts/none', {}, 'other', '404'],
  ];
  const expected = new Map<string, number>();
  for (const [path, init, route, status] of requests) {
    const answer = await fetch(`${t.url}${path}`, { redirect: 'manual', ...init });
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, Number(status)]);
    const key = JSON.stringify({ http_route: route, http_response_status_code: status });
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const after = await t.redirector.metrics.metrics();
  expect(after).toContain(`# TYPE ${name} histogram`);
  for (const [key, count] of expected) {
    const labels = JSON.parse(key) as Record<string, string>;
    const added = (kind: string, more = {}) =>
      figureOf(after, kind, { ...labels, ...more }) - figureOf(before, kind, { ...labels, ...more });
    expect([key, added('count'), added('bucket', { le: '+Inf' })]).toEqual([key, count, count]);
    expect(added('bucket', { le: '0.00005' })).toBeLessThanOrEqual(added('bucket', { le: '2.5' }));
    expect(added('sum')).toBeGreaterThan(0);
  }
});

test('a request that waits for a lookup is timed from its head, under the route that answers it', async () => {
  const t = await startTestRedirector();
  await t.connected();
  const record = createRecord();
  t.controlPlane.records.set(record.id, record);
  let release = () => {};
  t.controlPlane.held = new Promise((resolve) => {
    release = resolve;
  });
  const labels = { http_route: '/r/{id}', http_response_status_code: '302' };
  const sumOf = async () => figureOf(await t.redirector.metrics.metrics(), 'sum', labels);
  const before = await sumOf();
  const answer = t.scan(record.id);
  await expect.poll(() => t.controlPlane.asked).toContain(record.id);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Another request is read meanwhile.
  await fetch(`${t.url}/fonts/none`);
  release();
  expect((await answer).status).toBe(302);
  expect((await sumOf()) - before).toBeGreaterThan(0.3);
});
