import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type CodeRecord, capKey } from '#schemas/code-record.ts';
import { documentKey, type WorkspaceDocument } from '#schemas/documents.ts';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import { canMount, mountDisk, run } from '../../deploy/testing/disk.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { setCounter } from '../testing/counter.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

let waymark: TestRedirector;
/** A code of a workspace whose webhook follows its scans. */
let marker: CodeRecord;
let workspaces = 0;
let addresses = 0;

const newWorkspace = (): string => `ws_reports${++workspaces}`;

/** The document of a workspace whose webhook follows scans. */
const followed = (id: string, version = 1): WorkspaceDocument => ({ id, version, scanEvents: true });

beforeAll(async () => {
  waymark = await startTestRedirector({ SEGMENT_AGE_MS: '50', TRUSTED_PROXIES: '127.0.0.1' });
  await waymark.connected();
  const workspaceId = newWorkspace();
  await waymark.publishDocument(followed(workspaceId));
  marker = await waymark.published({ workspaceId });
});

/** Each scan comes from an address of its own, below every limit. */
const scanOf = async (redirector: TestRedirector, id: string, init: RequestInit = {}): Promise<number> => {
  addresses++;
  const address = `10.1.${addresses >> 8}.${addresses & 255}`;
  const headers = { 'x-forwarded-for': address, ...init.headers };
  return (await redirector.scan(id, { ...init, headers })).status;
};
const scan = (id: string, init?: RequestInit): Promise<number> => scanOf(waymark, id, init);

const metricOf = async ({ redirector }: TestRedirector, name: string): Promise<number> => {
  const lines = (await redirector.metrics.metrics()).split('\n');
  return lines
    .filter((line) => line.startsWith(`waymark_redirector_${name}`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
};

/** The reports of a code. Waits for a later scan: reports arrive in order. */
const reportsOf = async (codeId: string): Promise<ReportedScan[]> => {
  const { reports } = waymark.controlPlane;
  const markers = () => reports.scans.filter((report) => report.codeId === marker.id).length;
  const before = markers();
  expect(await scan(marker.id)).toBe(302);
  await eventually(() => expect(markers()).toBeGreaterThan(before));
  return reports.scans.filter((report) => report.codeId === codeId);
};

/** Waits until the redirector knows that scans of a workspace are not reported. */
const untilNotFollowed = async (workspaceId: string): Promise<void> => {
  const { id } = await waymark.published({ workspaceId });
  await eventually(async () => {
    const before = await reportsOf(id);
    await scan(id);
    expect(await reportsOf(id)).toHaveLength(before.length);
  });
};

test('a scan is reported with its outcome: the destination of the rule, or the variant and its name', async () => {
  const { workspaceId } = marker;
  const rules = [
    { id: 'rule_1', condition: { device: ['mobile' as const] }, destination: 'https://m.example/' },
  ];
  const variants = [{ id: 'var_1', name: 'Größe', destination: 'https://a.example/', weight: 1 }];
  const plain = await waymark.published({ workspaceId });
  const ruled = await waymark.published({ workspaceId, rules, variants });
  const campaign = await waymark.published({ workspaceId, variants });
  const capped = await waymark.published({ workspaceId, variants, cap: { max: 1, epoch: 1 } });
  const locked = await waymark.published({ workspaceId, rules, passwordProtected: true });
  waymark.controlPlane.passwords.set(locked.id, 'open');
  await setCounter(waymark.redis, capKey(capped.id, 1), 0);
  for (const { id } of [plain, ruled, campaign, capped]) expect(await scan(id)).toBe(302);
  expect(await scan(locked.id)).toBe(401);
  expect(await scan(locked.id, { method: 'POST', body: new URLSearchParams({ password: 'open' }) })).toBe(
    303,
  );
  const common = { id: expect.stringMatching(/^evt_/), workspaceId, atMs: expect.any(Number) };
  const visit = { country: '', device: 'mobile' };
  const led = async ({ id }: CodeRecord, to: Partial<ReportedScan>) =>
    expect(await reportsOf(id)).toEqual([{ ...common, ...visit, codeId: id, ...to }]);
  await led(plain, {});
  await led(ruled, { routedTo: 'https://m.example/' });
  await led(campaign, { variantId: 'var_1', variantName: 'Größe' });
  await led(capped, { variantId: 'var_1', variantName: 'Größe' });
  await led(locked, { routedTo: 'https://m.example/' });
});

test('a report has the outcome of a scan as the code was at that time', async () => {
  const { workspaceId } = marker;
  const variants = [{ id: 'var_1', name: 'Before', destination: 'https://a.example/', weight: 1 }];
  const record = await waymark.published({ workspaceId, variants });
  waymark.controlPlane.reports.status = 503;
  expect(await scan(record.id)).toBe(302);
  const changed = { ...record, version: 2, variants: [{ ...variants[0]!, name: 'After' }] };
  await waymark.publish(changed);
  waymark.controlPlane.reports.status = 200;
  expect(await reportsOf(record.id)).toMatchObject([{ variantName: 'Before' }]);
});

test('scans of bots, HEAD and previews are not reported, nor are scans without a destination', async () => {
  const { workspaceId } = marker;
  const [record, inactive] = [
    await waymark.published({ workspaceId }),
    await waymark.published({ workspaceId, active: false }),
  ];
  expect(await scan(record.id, { headers: { 'user-agent': 'Googlebot/2.1' } })).toBe(302);
  expect(await scan(record.id, { method: 'HEAD' })).toBe(302);
  expect(await scan(record.id, { headers: { 'sec-purpose': 'prefetch' } })).toBe(302);
  expect(await scan(inactive.id)).toBe(410);
  expect(await reportsOf(record.id)).toEqual([]);
  expect(await reportsOf(inactive.id)).toEqual([]);
});

test('scans of a workspace without a webhook are not reported once it is known', async () => {
  const documents: (WorkspaceDocument | undefined)[] = [{ id: newWorkspace(), version: 1 }, undefined];
  for (const document of documents) {
    if (document) await waymark.publishDocument(document);
    const workspaceId = document?.id ?? newWorkspace();
    const record = await waymark.published({ workspaceId });
    expect(await scan(record.id)).toBe(302);
    expect(await reportsOf(record.id)).toHaveLength(1);
    await untilNotFollowed(workspaceId);
    for (let i = 0; i < 5; i++) expect(await scan(record.id)).toBe(302);
    expect(await reportsOf(record.id)).toHaveLength(1);
  }
});

test('a webhook is noticed while codes are scanned, and so is its end', async () => {
  const workspaceId = newWorkspace();
  const record = await waymark.published({ workspaceId });
  await untilNotFollowed(workspaceId);
  await waymark.publishDocument(followed(workspaceId));
  await eventually(async () => {
    expect(await scan(record.id)).toBe(302);
    expect(await reportsOf(record.id)).not.toEqual([]);
  });
  await waymark.publishDocument({ id: workspaceId, version: 2 });
  await untilNotFollowed(workspaceId);
});

test('while no source answers for a workspace, its scans are reported, with one lookup a second', async () => {
  const workspaceId = newWorkspace();
  const record = await waymark.published({ workspaceId });
  await waymark.scan(record.id, { method: 'HEAD' });
  // A document that this release cannot read: no source has an answer.
  await waymark.redis.set(documentKey(workspaceId), 'not a document');
  waymark.controlPlane.documentsAway = true;
  try {
    const before = waymark.controlPlane.askedWorkspaces.length;
    const startedAtMs = performance.now();
    for (let i = 0; i < 20; i++) expect(await scan(record.id)).toBe(302);
    expect(await reportsOf(record.id)).toHaveLength(20);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const lookUps = waymark.controlPlane.askedWorkspaces.length - before;
    expect(lookUps).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  } finally {
    waymark.controlPlane.documentsAway = false;
  }
});

test('a scan that cannot be reported is redirected, recorded and counted', async () => {
  const { workspaceId } = marker;
  const rules = [{ id: 'rule_1', condition: {}, destination: `https://x.example/${'x'.repeat(13_000)}` }];
  const record = await waymark.published({ workspaceId, rules });
  expect(await scan(record.id)).toBe(302);
  expect(await reportsOf(record.id)).toEqual([]);
  expect(await metricOf(waymark, 'scan_reports_dropped_total{reason="unwritable"}')).toBe(1);
  const scans = async () =>
    waymark.query('SELECT count() AS scans FROM scans WHERE code_id = {id:String}', { id: record.id });
  await expect.poll(scans).toMatchObject([{ scans: expect.toSatisfy((n) => Number(n) === 1) }]);
});

test('while the control plane is down, reports wait up to a limit, then are dropped and counted; afterwards reports arrive again', async () => {
  const redirector = await startTestRedirector({
    SEGMENT_AGE_MS: '50',
    SPOOL_BYTES_MAX: String(2 ** 20),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const { reports } = redirector.controlPlane;
  await redirector.publishDocument(followed(newWorkspace()));
  const rules = [{ id: 'rule_1', condition: {}, destination: `https://x.example/${'x'.repeat(4000)}` }];
  const record = await redirector.published({ workspaceId: `ws_reports${workspaces}`, rules });
  reports.status = 503;
  const dropped = () => metricOf(redirector, 'scan_reports_dropped_total{reason="spool_full"}');
  let scans = 0;
  while ((await dropped()) === 0) {
    expect(scans).toBeLessThan(600);
    for (let i = 0; i < 20; i++, scans++) expect(await scanOf(redirector, record.id)).toBe(302);
  }
  expect(await metricOf(redirector, 'scan_report_spool_bytes')).toBeLessThanOrEqual(2 ** 20);
  reports.status = 200;
  const kept = scans - (await dropped());
  await eventually(() => expect(reports.scans).toHaveLength(kept));
  expect(await scanOf(redirector, record.id)).toBe(302);
  await eventually(() => expect(new Set(reports.scans.map(({ id }) => id)).size).toBe(kept + 1));
});

test('a state folder of a release without reports is taken, and so are folders that its processes left', async () => {
  const { config, redirector, controlPlane } = await startTestRedirector();
  await redirector.close();
  fs.rmSync(path.join(redirector.folder, 'scan-reports'), { recursive: true });
  const next = await startTestRedirector({
    DATA_DIR: config.dataDir,
    CONTROL_PLANE_INTERNAL_URL: controlPlane.url,
    SEGMENT_AGE_MS: '50',
  });
  expect(next.redirector.folder).toBe(redirector.folder);
  // Its control plane does not know the records published here.
  await next.connected();
  const workspaceId = newWorkspace();
  await next.publishDocument(followed(workspaceId));
  const { id } = await next.published({ workspaceId });
  expect((await next.scan(id)).status).toBe(302);
  await eventually(() => expect(controlPlane.reports.scans.map(({ codeId }) => codeId)).toEqual([id]));
});

test.skipIf(!canMount)(
  'a hanging disk stops no redirect; reports made meanwhile are sent from memory, once',
  async () => {
    const disk = await mountDisk(16);
    const redirector = await startTestRedirector({
      DATA_DIR: disk,
      SEGMENT_AGE_MS: '50',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    await redirector.connected();
    const workspaceId = newWorkspace();
    await redirector.publishDocument(followed(workspaceId));
    const record = await redirector.published({ workspaceId });
    expect(await scanOf(redirector, record.id)).toBe(302);
    run('fsfreeze', '-f', disk);
    let frozen = true;
    const thaw = () => {
      if (frozen) run('fsfreeze', '-u', disk);
      frozen = false;
    };
    afterFile(thaw);
    let scans = 1;
    const { reports } = redirector.controlPlane;
    await eventually(async () => {
      expect(await scanOf(redirector, record.id)).toBe(302);
      scans++;
      expect(await metricOf(redirector, 'scan_report_spool_hanging')).toBe(1);
    });
    const sent = reports.scans.length;
    // Later reports are only in memory, and reach the control plane while the disk hangs.
    await eventually(async () => {
      expect(await scanOf(redirector, record.id)).toBe(302);
      scans++;
      expect(reports.scans.length).toBeGreaterThan(sent);
    });
    thaw();
    await eventually(() => expect(new Set(reports.scans.map(({ id }) => id)).size).toBe(scans));
    expect(reports.scans).toHaveLength(scans);
    expect(await metricOf(redirector, 'scan_reports_dropped_total')).toBe(0);
  },
);

test('a scan of a code without analytics leaves no row and no report, and the cap counts it', async () => {
  const { workspaceId } = marker;
  const record = await waymark.published({ workspaceId, analytics: 'none', cap: { max: 2, epoch: 1 } });
  const uncapped = await waymark.published({
    workspaceId,
    analytics: 'none',
    parameters: { own: [['device', '{device}']], scanId: 'sid' },
  });
  const statuses = [await scan(record.id), await scan(record.id), await scan(record.id)];
  expect(statuses).toEqual([302, 302, 410]);
  // An id would be one of the next recorded scan.
  const location = (await waymark.scan(uncapped.id)).headers.get('location');
  expect(location).toBe(`${uncapped.destination}&device=mobile`);
  expect([...(await reportsOf(record.id)), ...(await reportsOf(uncapped.id))]).toEqual([]);
  const rowsOf = async (...ids: string[]): Promise<number> => {
    const rows = await waymark.query(
      'SELECT count() AS rows FROM scans WHERE code_id IN {ids:Array(String)}',
      { ids },
    );
    return Number(rows[0]!.rows);
  };
  // Rows arrive in order: once a later scan is there, the earlier ones would be.
  const later = await waymark.published({ workspaceId });
  expect(await scan(later.id)).toBe(302);
  await eventually(async () => expect(await rowsOf(later.id)).toBe(1));
  expect(await rowsOf(record.id, uncapped.id)).toBe(0);
});
