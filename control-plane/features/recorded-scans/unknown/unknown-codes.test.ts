import { beforeAll, expect, test } from 'vitest';
import type { ReportedUnknownCode } from '#schemas/reported-unknown-code.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [own, other] = [await plane.workspace(), await plane.workspace()];
  await addDomain(own, 'go.example.com', 'verified');
  await addDomain(own, 'pending.example.com', 'pending');
});

const addDomain = async (workspace: Workspace, domain: string, status: string): Promise<void> => {
  await plane.pool.query(
    `INSERT INTO domains (id, workspace_id, domain, token, status, path) VALUES ($1, $2, $3, 't', $4, '/')`,
    [`dom_${domain}`, workspace.workspaceId, domain, status],
  );
};

const today = (): string => new Date().toISOString().slice(0, 10);

const reported = (path: string, changes: Partial<ReportedUnknownCode> = {}): ReportedUnknownCode => ({
  workspaceId: own.workspaceId,
  domain: 'go.example.com',
  day: today(),
  path,
  scans: 1,
  lastAtMs: Date.now(),
  ...changes,
});

const report = async (name: string, lines: readonly ReportedUnknownCode[]) => {
  const { status, body } = await plane.internal(
    'POST',
    `/internal/unknown-codes?segment=${name}`,
    Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  );
  expect(status).toBe(200);
  return body;
};

const pathsOf = async (workspace: Workspace, query = '') => {
  const { status, body } = await workspace.call('GET', `/api/qr/analytics/unknown-codes${query}`);
  expect(status).toBe(200);
  return (body as { data: { path: string; scans: number }[] }).data.map(
    ({ path, scans }) => `${path} ${scans}`,
  );
};

test('reports add up, each once, for verified domains of the workspace only', async () => {
  await report('first', [reported('/aaaaaaaaa', { scans: 2 }), reported('/bbbbbbbbb')]);
  await report('first', [reported('/aaaaaaaaa', { scans: 2 })]);
  await report('second', [
    reported('/bbbbbbbbb', { scans: 4 }),
    reported('/ccccccccc', { domain: 'pending.example.com' }),
    reported('/ddddddddd', { workspaceId: other.workspaceId }),
    reported('/eeeeeeeee', { day: '2020-01-01' }),
  ]);
  expect(await pathsOf(own)).toEqual(['/bbbbbbbbb 5', '/aaaaaaaaa 2']);
  expect(await pathsOf(own, '?domain=GO.example.com&limit=1')).toEqual(['/bbbbbbbbb 5']);
  expect(await pathsOf(other)).toEqual([]);
  expect((await other.call('GET', '/api/qr/analytics/unknown-codes?domain=go.example.com')).status).toBe(400);
});

test('of a day and a domain, the thousand paths with the most scans are kept, however many are invented', async () => {
  await addDomain(other, 'flood.example.com', 'verified');
  const flood = (n: number) =>
    reported(`/flood${n}`, { workspaceId: other.workspaceId, domain: 'flood.example.com' });
  await report('misprint', [{ ...flood(0), path: '/misprint', scans: 3 }]);
  await report(
    'flood',
    Array.from({ length: 3_000 }, (_, n) => flood(n)),
  );
  const { rows } = await plane.pool.query(
    `SELECT count(*)::integer AS n FROM unknown_codes WHERE domain = 'flood.example.com'`,
  );
  expect(rows[0].n).toBe(1_000);
  expect((await pathsOf(other))[0]).toBe('/misprint 3');
});
