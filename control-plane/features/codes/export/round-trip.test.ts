/** Exported CSV can be uploaded to create the codes again. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { encodeForm } from '../../../testing/form.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

const report = z.looseObject({
  source: z.string(),
  invalid: z.array(z.object({ row: z.number(), column: z.string(), message: z.string() })),
  warnings: z.array(z.object({ row: z.number().optional(), message: z.string() })),
  rows: z.array(z.object({ uid: z.string(), body: z.looseObject({}) })),
});

const exported = async (workspace: Workspace): Promise<string> =>
  String((await workspace.call('GET', '/api/qr/codes/export')).body);

/** The result of uploading it. */
const uploaded = async (workspace: Workspace, csv: string) => {
  const form = await encodeForm({}, csv);
  const answer = await workspace.call('POST', '/api/qr/codes/bulk/upload?dryRun=true', form.body, {
    ...form.headers,
  });
  return report.parse(answer.body);
};

test('an export can be uploaded as it is: names, destinations, payloads, styles, expiry, caps, external ids and notes come back', async () => {
  const workspace = await plane.workspace();
  const bodies = [
    { data: 'https://example.com/ü?a=1,2', name: 'Table "7", left' },
    { data: 'https://example.com/', name: '=1+1' },
    { data: 'https://example.com/', name: "'=1+1" },
    { data: 'https://example.com/?a;=1', name: "a;=1+1;'-b" },
    { dataType: 'text', data: '+49 40 1234' },
    { dataType: 'text', data: 'a\n- b\n=c' },
    { dataType: 'wifi', data: 'WIFI:T:WPA;S:Guests;P:welcome!;;' },
    { dataType: 'phone', data: 'tel:+49401234' },
    { data: 'https://example.com/', maxScans: 7, expiresAt: '2099-01-01T00:00:00.000Z' },
    { data: 'https://example.com/', preset: 'ocean' },
    { data: 'https://example.com/', dotsOptions: { type: 'dots', color: '#0c4a6e' }, margin: 2 },
    { data: 'https://example.com/', externalId: '=order 7', notes: 'by the door,\n"left"' },
  ];
  const links: string[] = [];
  for (const body of bodies) links.push((await workspace.createCode(body)).redirectUrl);
  const { source, invalid, warnings, rows } = await uploaded(workspace, await exported(workspace));
  expect({ source, invalid }).toEqual({ source: 'waymark', invalid: [] });
  expect(warnings).toEqual([
    {
      message:
        "Not taken over from the export of Waymark: 'type', 'scanCount', 'lastScannedAt', 'secure', 'metadata', 'createdBy', 'importId', 'importedScanCount', 'destinationHealth', 'createdAt', 'updatedAt', 'stale'",
    },
  ]);
  expect(rows.map(({ body }) => body)).toEqual(bodies.map((body) => ({ dataType: 'url', ...body })));
  expect(rows.map(({ uid }) => uid)).toEqual(links);
});

describe('a code of an export that', () => {
  const url = { data: 'https://example.com/' };
  const condition = { country: ['DE'] };

  test('asks for a password, is encrypted or inactive is not created again as an open one', async () => {
    const workspace = await plane.workspace();
    await workspace.createCode({ ...url, secure: ['password'], password: 'open sesame' });
    await workspace.createCode({
      dataType: 'text',
      data: 'x',
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'open sesame' },
    });
    const { id } = await workspace.createCode(url);
    expect((await workspace.call('PUT', `/api/qr/codes/${id}`, { status: 'inactive' })).status).toBe(200);
    const { invalid, rows } = await uploaded(workspace, await exported(workspace));
    expect(rows).toEqual([]);
    expect(invalid).toEqual([
      { row: 2, column: 'passwordProtected', message: expect.stringContaining('fill a column password') },
      { row: 3, column: 'encrypted', message: expect.stringContaining('cannot be taken over') },
      { row: 4, column: 'status', message: expect.stringContaining('is not active') },
    ]);
  });

  test('asks for a password is created with the password in its row', async () => {
    const workspace = await plane.workspace();
    await workspace.createCode({ ...url, secure: ['password'], password: 'open sesame' });
    const [header, line] = (await exported(workspace)).split('\r\n');
    const { invalid, rows } = await uploaded(workspace, `${header},password\n${line},another one\n`);
    expect(invalid).toEqual([]);
    expect(rows[0]?.body).toMatchObject({ secure: ['password'], password: '***' });
  });

  test('has rules or a campaign is created again with a warning that names them', async () => {
    const workspace = await plane.workspace();
    await workspace.createCode({
      ...url,
      routingRules: [{ id: 'de', condition, destination: 'https://a.example/' }],
    });
    await workspace.createCode({
      ...url,
      campaign: {
        status: 'active',
        variants: [{ id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 }],
      },
    });
    const { warnings, rows } = await uploaded(workspace, await exported(workspace));
    expect(rows).toHaveLength(2);
    expect(warnings.filter(({ row }) => row !== undefined)).toEqual([
      { row: 2, message: 'routingRules is not taken over: all scans lead to the destination' },
      { row: 3, message: 'campaign is not taken over: all scans lead to the destination' },
    ]);
  });
});
