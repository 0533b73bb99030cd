/** What is exported as CSV can be uploaded: the codes are made anew. */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane, type TestControlPlane } from '../../../testing/control-plane.ts';
import { encodeForm } from '../../../testing/form.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
});

const from = { 'x-forwarded-for': '198.51.100.1' };

const report = z.looseObject({
  invalid: z.array(z.unknown()),
  warnings: z.array(z.unknown()),
  rows: z.array(z.object({ body: z.looseObject({}) })),
});

test('an export is uploaded as it is: names, destinations, payloads, styles, ends and caps come back', async () => {
  const workspace = await plane.workspace();
  const bodies = [
    { data: 'https://example.com/ü?a=1,2', name: 'Table "7", left' },
    { data: 'https://example.com/', name: '=1+1' },
    { data: 'https://example.com/', name: "'=1+1" },
    { dataType: 'text', data: '+49 40 1234' },
    { dataType: 'wifi', data: 'WIFI:T:WPA;S:Guests;P:welcome!;;' },
    { dataType: 'phone', data: 'tel:+49401234' },
    { data: 'https://example.com/', maxScans: 7, expiresAt: '2099-01-01T00:00:00.000Z' },
    { data: 'https://example.com/', preset: 'ocean' },
    { data: 'https://example.com/', dotsOptions: { type: 'dots', color: '#0c4a6e' }, margin: 2 },
  ];
  for (const body of bodies) await workspace.createCode(body);
  const { body: csv } = await workspace.call('GET', '/api/qr/codes/export', undefined, from);
  const form = await encodeForm({}, csv as Buffer);
  const answer = await workspace.call('POST', '/api/qr/codes/bulk/upload?dryRun=true', form.body, {
    ...form.headers,
    ...from,
  });
  const { invalid, rows } = report.parse(answer.body);
  expect(invalid).toEqual([]);
  expect(rows.map(({ body }) => body)).toEqual(bodies.map((body) => ({ dataType: 'url', ...body })));
});
