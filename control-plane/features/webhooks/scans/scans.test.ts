/** Scans that redirectors report for webhooks, with a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';
import { linesOf, reportedScanOf } from '../testing/reported-scans.ts';
import { openWebhookStore, type TestWebhook } from '../testing/webhook-store.ts';
import { nightlyJob } from './nightly.ts';

const log: Record<string, unknown>[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) });
const store = await openWebhookStore();
const { pool } = store;
// No receiver is reachable: these tests do not depend on whether a delivery is queued or finished.
const plane = await startTestControlPlane({ databaseUrl: store.databaseUrl, logger });
const { internal } = plane;

/** A code of a workspace with one webhook. */
const addFollowed = async (events: readonly string[] = ['scan.created']) => {
  const workspace = await plane.workspace();
  const { workspaceId } = workspace;
  const webhook = await store.webhook({ workspaceId, events });
  const { id: codeId } = await workspace.createCode();
  return { webhook, code: { workspaceId, codeId } };
};

let webhook: TestWebhook;
let code: Pick<ReportedScan, 'workspaceId' | 'codeId'>;
beforeAll(async () => {
  ({ webhook, code } = await addFollowed());
});

const scan = (changes: Partial<ReportedScan> = {}) => reportedScanOf(code, changes);
const post = (body: string | Buffer, name: string = randomUUID(), headers: Record<string, string> = {}) =>
  internal('POST', `/internal/scans?segment=${name}`, body, headers);
const report = (scans: readonly ReportedScan[], name?: string) => post(linesOf(scans), name);

/** Deliveries of the scans to the webhook, finished or not. */
const deliveriesOf = async (scans: readonly ReportedScan[], { id } = webhook): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT event_id AS id FROM (SELECT webhook_id, event_id FROM webhook_queue
       UNION ALL SELECT webhook_id, event_id FROM webhook_deliveries) AS d
     WHERE webhook_id = $1 AND event_id = ANY($2) ORDER BY event_id`,
    [id, scans.map((one) => one.id)],
  );
  return rows.map((row) => row.id);
};
const idsOf = (scans: readonly ReportedScan[]) => scans.map(({ id }) => id).sort();

const dataOf = async ({ id }: ReportedScan) =>
  (await pool.query('SELECT data FROM webhook_events WHERE id = $1', [id])).rows[0]?.data;

const rejectedMetric = async (why: string): Promise<number> => {
  const { body } = await internal('GET', '/metrics');
  const found = new RegExp(`^waymark_reported_scans_rejected_total\\{why="${why}"\\} (\\d+)$`, 'm').exec(
    String(body),
  );
  return Number(found?.[1]);
};

describe('a segment of scans', () => {
  test.each([
    ['none', undefined],
    ['gzip', promisify<Buffer, Buffer>(zlib.gzip)],
    ['zstd', promisify<Buffer, Buffer>(zlib.zstdCompress)],
  ])('is taken with compression %s', async (coding, compress) => {
    const scans = [scan(), scan()];
    const plain = Buffer.from(linesOf(scans));
    const answer = compress
      ? await post(await compress(plain), undefined, { 'content-encoding': coding })
      : await post(plain);
    expect(answer).toMatchObject({ status: 200, body: { repeated: false, counted: 2, rejected: 0 } });
    expect(await deliveriesOf(scans)).toEqual(idsOf(scans));
  });

  test('that is sent again is answered 200 and adds nothing, even if both come at once', async () => {
    const scans = [scan(), scan()];
    const name = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => report(scans, name)));
    answers.push(await report(scans, name));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter(({ body }) => !(body as { repeated: boolean }).repeated)).toHaveLength(1);
    expect(await deliveriesOf(scans)).toEqual(idsOf(scans));
  });

  test('of a code with an externalId, metadata and notes has them in each event, and of another code none of them', async () => {
    const { workspaceId, codeId } = code;
    const [before, after] = [scan(), scan()];
    await report([before]);
    await pool.query(
      `UPDATE codes SET external_id = 'table 7', metadata = '{"room": "bar"}', notes = 'by the door' WHERE id = $1`,
      [codeId],
    );
    const stranger = await plane.workspace();
    const other = await stranger.createCode({ externalId: 'other' });
    await report([after, reportedScanOf({ workspaceId, codeId: other.id })]);
    expect(await dataOf(after)).toMatchObject({
      qrId: codeId,
      externalId: 'table 7',
      metadata: { room: 'bar' },
      notes: 'by the door',
    });
    expect(Object.keys(await dataOf(before))).toEqual(['qrId', 'shortId', 'country', 'device']);
    await pool.query(`UPDATE codes SET external_id = NULL, metadata = NULL, notes = NULL WHERE id = $1`, [
      codeId,
    ]);
  });

  test('with more lines than are read in one step is taken completely', async () => {
    const scans = Array.from({ length: 2_500 }, () => scan());
    // One of them is repeated much later in the segment.
    expect(await report([...scans, scans[0]!])).toMatchObject({ status: 200, body: { rejected: 0 } });
    expect(await deliveriesOf(scans)).toEqual(idsOf(scans));
  });

  test('is accepted only from redirectors', async () => {
    const { status } = await fetch(`${plane.internalUrl}/internal/scans?segment=a`, { method: 'POST' });
    expect(status).toBe(401);
  });

  test('without a name, or in another encoding, is rejected', async () => {
    expect(await post('', 'a/b')).toMatchObject({ status: 400 });
    expect(await post('x', undefined, { 'content-encoding': 'br' })).toMatchObject({ status: 415 });
  });
});

describe('a scan', () => {
  test('is one event by its id, however many segments report it, even if it was delivered before', async () => {
    const one = scan();
    expect(await report([one, one])).toMatchObject({ body: { counted: 1, rejected: 0 } });
    await report([one, scan()]);
    await pool.query(
      `WITH gone AS (DELETE FROM webhook_queue WHERE event_id = $1 RETURNING *)
       INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, status, attempts, created_at)
       SELECT id, placed_at, webhook_id, event_id, type, 'succeeded', '[]', created_at FROM gone`,
      [one.id],
    );
    expect(await report([one])).toMatchObject({ status: 200 });
    expect(await deliveriesOf([one])).toEqual([one.id]);
  });

  test('has country and device, and any rule or campaign choice; nothing else about its visitor', async () => {
    const plain = scan({ country: '', device: 'desktop' });
    const routed = scan({ routedTo: 'https://example.com/fr', variantId: 'v1', variantName: 'Blue' });
    const lines = linesOf([plain, { ...routed, ip: '192.0.2.7', userAgent: 'Mozilla/5.0' }]);
    expect(await post(lines)).toMatchObject({ body: { counted: 2 } });
    const about = { qrId: code.codeId, shortId: code.codeId };
    expect(await dataOf(plain)).toEqual({ ...about, country: null, device: 'desktop' });
    expect(await dataOf(routed)).toEqual({
      ...about,
      country: 'FR',
      device: 'mobile',
      routedTo: 'https://example.com/fr',
      variantId: 'v1',
      variantName: 'Blue',
    });
  });

  test('is an event with any characters in its texts', async () => {
    const odd = scan({ variantId: '\u0000', variantName: '\ud800 \u2028 \\u0000', routedTo: '\'"{}' });
    expect(await report([odd])).toMatchObject({ status: 200, body: { counted: 1 } });
    expect(await deliveriesOf([odd])).toEqual([odd.id]);
  });

  test('that was erased before it came leaves nothing: of erased scans up to their moment, of an erased code any', async () => {
    const { code: cleared, webhook: following } = await addFollowed();
    const gone = { ...cleared, codeId: '1gone1111' };
    const upTo = Date.now() - 60_000;
    const erased = [cleared.workspaceId, cleared.codeId, new Date(upTo), gone.codeId];
    await pool.query(
      `INSERT INTO erasures (id, workspace_id, code_id, what, up_to) VALUES
         ('ers_1111111111111111', $1, $2, 'scans', $3), ('ers_1111111111111112', $1, $4, 'code', 'infinity')`,
      erased,
    );
    const kept = reportedScanOf(cleared, { atMs: upTo + 1 });
    const scans = [reportedScanOf(cleared, { atMs: upTo }), kept, reportedScanOf(gone)];
    expect(await report(scans)).toMatchObject({ status: 200, body: { counted: 1, rejected: 0 } });
    expect(await deliveriesOf(scans, following)).toEqual([kept.id]);
  });

  test('that no webhook follows leaves nothing', async () => {
    const other = await addFollowed(['qr.created', 'form.submitted']);
    const one = reportedScanOf(other.code);
    expect(await report([one])).toMatchObject({ status: 200, body: { counted: 1 } });
    expect(await dataOf(one)).toBeUndefined();
    expect(await deliveriesOf([one], other.webhook)).toEqual([]);
  });

  test('with an unknown workspace or code, or on a broken line, is set aside, counted and logged, without affecting others', async () => {
    const other = await addFollowed();
    const good = [scan(), scan()];
    const lines = [
      linesOf([good[0]!]).trim(),
      '{"id":',
      JSON.stringify({ ...scan(), country: 'France' }),
      JSON.stringify({ ...scan(), more: 'x'.repeat(2 ** 15) }),
      JSON.stringify(scan({ workspaceId: 'ws_1111111111111111' })),
      JSON.stringify(scan({ codeId: '111111111' })),
      JSON.stringify(scan({ workspaceId: other.code.workspaceId })),
      JSON.stringify(scan({ codeId: 'nul\0', workspaceId: '\ud800' })),
      linesOf([good[1]!]).trim(),
    ];
    const name = randomUUID();
    const before = await rejectedMetric('unknown_code');
    expect(await post(lines.join('\n'), name)).toMatchObject({
      status: 200,
      body: { counted: 2, rejected: 7 },
    });
    expect(await deliveriesOf(good)).toEqual(idsOf(good));
    const { rows } = await pool.query(
      'SELECT line, problem FROM webhook_rejected_scans WHERE segment = $1 ORDER BY line',
      [name],
    );
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [2, 'not_json'],
      [3, 'not_an_event'],
      [4, 'too_long'],
      [5, 'unknown_workspace'],
      [6, 'unknown_code'],
      [7, 'unknown_code'],
      [8, 'unknown_workspace'],
    ]);
    expect(await rejectedMetric('unknown_code')).toBe(before + 2);
    expect(log).toContainEqual(
      expect.objectContaining({ segment: name, lines: 7, line: 2, problem: 'not_json' }),
    );
  });
});

test('the nightly job forgets segments of scans, and lines set aside, after 30 days', async () => {
  const names = ['29 days', '31 days'].map((age) => ({ age, name: randomUUID() }));
  for (const { age, name } of names) {
    await post('x\n', name);
    await pool.query('UPDATE webhook_scan_segments SET taken_at = now() - $2::interval WHERE name = $1', [
      name,
      age,
    ]);
    await pool.query(
      'UPDATE webhook_rejected_scans SET rejected_at = now() - $2::interval WHERE segment = $1',
      [name, age],
    );
  }
  await nightlyJob(pool).run(undefined);
  const { rows } = await pool.query(
    'SELECT name, segment FROM webhook_scan_segments FULL JOIN webhook_rejected_scans ON name = segment WHERE name = ANY($1)',
    [names.map(({ name }) => name)],
  );
  expect(rows).toEqual([{ name: names[0]!.name, segment: names[0]!.name }]);
});
