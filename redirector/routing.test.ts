/** Starts, schedules, ways out, further conditions and parameters, from a whole redirector. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CodeRecord, capKey } from '#schemas/code-record.ts';
import { createScanIds } from '#shared/scan-ids.ts';
import { deriveKey } from '#shared/signing.ts';
import { setCounter } from './testing/counter.ts';
import { secretKey, startTestRedirector, type TestRedirector } from './testing/redirector.ts';

let waymark: TestRedirector;

beforeAll(async () => {
  waymark = await startTestRedirector();
  await waymark.connected();
});

const published = (changes: Partial<CodeRecord> = {}) => waymark.published(changes);
const browser = { accept: 'text/html', 'accept-language': 'de' };

/** A scan of a browser: its status, its Location and its page. */
const open = async ({ id }: CodeRecord, query = '', headers: Record<string, string> = browser) => {
  const answer = await waymark.scan(`${id}${query}`, { headers });
  return [answer.status, answer.headers.get('location') ?? (await answer.text())];
};
const locationOf = async (record: CodeRecord, query = '', headers: Record<string, string> = browser) =>
  (await open(record, query, headers))[1];

/** Sets the clock of this process, and so the redirector's, back; it stands still until the test ends. */
const setClock = (nowMs: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
};

const future = Date.UTC(2099, 0);
const past = Date.UTC(2020, 0);

describe('before its start a code', () => {
  test('answers 404 with a page in the visitor’s language and the owner’s words, and with a code for programs', async () => {
    const record = await published({ startsAtMs: future });
    expect(await open(record)).toEqual([404, expect.stringContaining('Dieser Code ist noch nicht aktiv')]);
    const program = await waymark.scan(record.id, { headers: { accept: '*/*' } });
    expect([program.status, await program.json()]).toEqual([
      404,
      { error: 'This code has not started yet', code: 'CODE_NOT_STARTED' },
    ]);
    const worded = await published({
      startsAtMs: future,
      messages: { notStarted: { title: 'Doors open at eight' } },
    });
    expect(await locationOf(worded)).toContain('Doors open at eight');
  });

  test('sends people to the URL that is set, and gives programs the 404', async () => {
    const record = await published({ startsAtMs: future, beforeStartUrl: 'https://example.com/soon' });
    expect(await open(record)).toEqual([302, 'https://example.com/soon']);
    expect((await waymark.scan(record.id, { headers: { accept: '*/*' } })).status).toBe(404);
  });

  test('asks for no password, and leads on from the millisecond of its start', async () => {
    const record = await published({ startsAtMs: past, expiresAtMs: past + 10, passwordProtected: true });
    setClock(past - 1);
    expect((await open(record))[0]).toBe(404);
    setClock(past);
    expect(await open(record)).toEqual([200, expect.stringContaining('<form')]);
    setClock(past + 10);
    expect((await open(record))[0]).toBe(410);
  });
});

test('once a code has expired or its cap is reached, people are sent to expiredUrl, and programs get 410', async () => {
  const expiredUrl = 'https://example.com/over';
  const expired = await published({ expiresAtMs: 1, expiredUrl });
  const capped = await published({ cap: { max: 1, epoch: 1 }, expiredUrl });
  await setCounter(waymark.redis, capKey(capped.id, 1), 1);
  const locked = await published({ cap: { max: 1, epoch: 1 }, passwordProtected: true, expiredUrl });
  await setCounter(waymark.redis, capKey(locked.id, 1), 1);
  waymark.controlPlane.passwords.set(locked.id, 'open sesame');
  for (const record of [expired, capped]) {
    expect(await open(record)).toEqual([302, expiredUrl]);
    expect((await waymark.scan(record.id, { headers: { accept: '*/*' } })).status).toBe(410);
  }
  const body = () => new URLSearchParams({ password: 'open sesame' });
  for (let times = 0; times < 2; times++) {
    const answer = await waymark.scan(locked.id, { method: 'POST', body: body(), headers: browser });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, expiredUrl]);
  }
});

test('a schedule changes the destination by the clock of the redirector, without anything being published', async () => {
  const record = await published({
    destination: 'https://example.com/first',
    schedule: [
      { atMs: past, destination: 'https://example.com/second' },
      { atMs: past + 5, destination: 'https://example.com/third' },
    ],
  });
  const seen: unknown[] = [];
  for (const atMs of [past - 1, past, past + 4, past + 5]) {
    setClock(atMs);
    seen.push(await locationOf(record));
  }
  expect(seen).toEqual(['first', 'second', 'second', 'third'].map((name) => `https://example.com/${name}`));
});

describe('further conditions', () => {
  const rule = (id: string, further: object) => ({
    id,
    condition: { further },
    destination: `https://example.com/${id}`,
  });

  test('look at the language, the browser and the query of a scan; also if its record has to be looked up', async () => {
    const rules = [
      rule('table', { query: { table: ['7'] } }),
      rule('swiss', { language: ['de-ch'] }),
      rule('german', { language: ['de'] }),
      rule('safari', { browser: ['safari'] }),
    ];
    const record = await published({ rules });
    const lead = (query: string, language: string) =>
      locationOf(record, query, { ...browser, 'accept-language': language });
    // The first scan waits for the record.
    expect(await lead('?table=7', '')).toBe('https://example.com/table');
    expect(await lead('?table=8&table=7', 'de-CH,de;q=0.9')).toBe('https://example.com/swiss');
    expect(await lead('', 'de;q=0.9,en;q=0.5')).toBe('https://example.com/german');
    expect(await lead('', 'en,de;q=0.9')).toBe('https://example.com/safari');
    expect(await lead('', 'de;q=0')).toBe('https://example.com/safari');
    const capped = await published({ rules, cap: { max: 5, epoch: 1 } });
    await setCounter(waymark.redis, capKey(capped.id, 1), 0);
    await locationOf(capped);
    expect(await locationOf(capped, '?table=7')).toBe('https://example.com/table');
  });

  test('look at the wall clock', async () => {
    const time = { days: [6], fromMinute: 1320, toMinute: 240, timeZone: 'Europe/Berlin' };
    const record = await published({ rules: [rule('open', { time })] });
    // In this night from Saturday to Sunday, Berlin put its clock back: from 22:00 to 04:00 it was seven hours.
    for (const [at, name] of [
      ['2020-10-24T19:59:59.999Z', 'landing?x=1'],
      ['2020-10-24T20:00:00.000Z', 'open'],
      ['2020-10-25T02:59:59.999Z', 'open'],
      ['2020-10-25T03:00:00.000Z', 'landing?x=1'],
    ] as const) {
      setClock(Date.parse(at));
      expect(await locationOf(record)).toBe(`https://example.com/${name}`);
    }
  });
});

describe('parameters', () => {
  test('are added to the destination of a rule, a variant and the code, and not to an app’s own URL', async () => {
    const parameters = {
      forward: true as const,
      own: [['src', '{source}-{variant}-{os}'] as [string, string]],
    };
    const sources = ['poster'];
    const query = '?s=poster&a=%0d%0aSet-Cookie:x&password=1';
    const plain = await published({ parameters, sources });
    expect(await locationOf(plain, query)).toBe(
      'https://example.com/landing?x=1&src=poster--ios&a=%0D%0ASet-Cookie%3Ax',
    );
    const routed = await published({
      parameters,
      rules: [{ id: 'r', condition: {}, destination: 'https://example.com/rule#top' }],
    });
    expect(await locationOf(routed, '?a=1')).toBe('https://example.com/rule?src=--ios&a=1#top');
    const varied = await published({
      parameters,
      variants: [{ id: 'v', name: 'V', destination: 'https://example.com/v', weight: 1 }],
    });
    expect(await locationOf(varied)).toBe('https://example.com/v?src=-v-ios');
    const app = await published({ parameters, deepLink: { ios: { url: 'myapp://open' } } });
    const page = await (await waymark.scan(`${app.id}?a=1`, { headers: { accept: '*/*' } })).json();
    expect(page).toMatchObject({
      app: 'myapp://open',
      destination: 'https://example.com/landing?x=1&src=--ios&a=1',
    });
  });

  test('are forwarded from the URL of a password’s form', async () => {
    const record = await published({ passwordProtected: true, parameters: { forward: true } });
    waymark.controlPlane.passwords.set(record.id, 'open sesame');
    const body = new URLSearchParams({ password: 'open sesame' });
    const answer = await waymark.scan(`${record.id}?a=1`, { method: 'POST', body, headers: browser });
    expect(answer.headers.get('location')).toBe('https://example.com/landing?x=1&a=1');
  });

  test('have the id of the scan as ClickHouse has it, and nothing that a scan brings takes its place', async () => {
    const record = await published({ parameters: { forward: true, scanId: 'sid' } });
    const locations: string[] = [];
    for (let scan = 0; scan < 3; scan++) locations.push(String(await locationOf(record, '?sid=mine')));
    const ids = createScanIds(deriveKey(secretKey, 'scan-id'));
    const sent = locations.map((location) => {
      const values = new URL(location).searchParams.getAll('sid');
      expect(values).toHaveLength(1);
      return ids.read(values[0]!);
    });
    const stored = () =>
      waymark.query(
        `SELECT toString(event_id) AS eventId, code_id AS codeId, toUnixTimestamp64Milli(ts) AS tsMs FROM scans
         WHERE code_id = {id:String} ORDER BY ts, event_id`,
        record,
      );
    await expect.poll(async () => (await stored()).length).toBe(3);
    const rows = (await stored()).map((row) => ({ ...row, tsMs: Number(row.tsMs) }));
    expect(rows).toEqual(sent);
  });
});
