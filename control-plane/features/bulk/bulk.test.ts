import { beforeAll, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
});

let calls = 0;
/** From an address of its own each time: the limit of one address is not what is tested. */
const submit = (workspace: Workspace, body: unknown, headers: Record<string, string> = {}) =>
  workspace.call('POST', '/api/qr/codes/bulk', body, {
    'x-forwarded-for': `203.0.${(calls >> 8) & 255}.${calls++ & 255}`,
    ...headers,
  });

const url = (n: number) => `https://example.com/${n}`;
const plainRows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ uid: `row ${n}`, data: url(n) }));

test('a call is answered 202, and worked off', async () => {
  const workspace = await plane.workspace();
  const rows = [...plainRows(120), { uid: 'bad', data: 'javascript:alert(1)' }];
  const answer = await submit(workspace, rows);
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ status: 'pending', total: 121, processed: 0 });
  const { bulkId } = answer.body as { bulkId: string };
  const read = async () => (await workspace.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body;
  await expect
    .poll(read, { timeout: 20_000 })
    .toMatchObject({ status: 'completed', succeeded: 120, failed: 1 });
});
