/** Suspensions, reports, and what the nightly screening does. */
import { beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../app.ts';
import { consumersOf, verbsOf } from '../../framework/feature.ts';
import { createOutbox, type Outbox } from '../../framework/outbox.ts';
import { type AdminContext, type Flags, NothingFound } from '../../framework/verb.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { createScreening, type Screening } from '../screening/screening.ts';
import { screeningTask } from './nightly.ts';

let plane: TestControlPlane;
let own: Workspace;
type Nightly = Pick<Screening, 'findingsIn' | 'isIdle' | 'hasWebRisk'>;
const outbox: Outbox = createOutbox(consumersOf(features));

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  own = await plane.workspace();
});

const verb = async (name: string, flags: Flags = {}) => {
  const sent: string[] = [];
  const context = {
    pool: plane.pool,
    outbox,
    async send(file: AsyncIterable<string>) {
      for await (const text of file) sent.push(...text.trim().split('\n'));
    },
  } as unknown as AdminContext;
  const lines = await verbsOf(features)[name]!.run(flags, context);
  return [...lines, ...sent.map((line) => JSON.parse(line) as object)] as Record<string, unknown>[];
};

const openReportsOf = async (codeId: string) =>
  (await verb('list-abuse-reports')).filter((report) => report.codeId === codeId);

const codeOf = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body;

const eventsOf = async (id: string) => {
  const { body } = await own.call('GET', '/api/qr/events?limit=100');
  const { data } = body as { data: { type: string; data: { qrId?: string } }[] };
  return data.filter((event) => event.data.qrId === id);
};

describe('a suspended code', () => {
  test('shows its owner why and since when, tells webhooks and the feed, and is lifted by the operator only', async () => {
    const { id } = await own.createCode();
    expect(await codeOf(id)).toMatchObject({ suspension: null });
    await verb('suspend-code', { code: id, reason: 'Reported as phishing' });
    const suspension = { reason: 'Reported as phishing', since: expect.any(String) };
    expect(await codeOf(id)).toMatchObject({ suspension, status: 'active' });
    const list = await own.call('GET', '/api/qr/codes');
    expect(list.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id, suspension })]),
    });

    const changes: [string, string, object?][] = [
      ['PUT', '', { name: 'new', status: 'active' }],
      ['PATCH', '', { destination: 'https://other.example/' }],
      ['POST', '/activate'],
    ];
    for (const [method, below, body] of changes)
      expect((await own.call(method, `/api/qr/codes/${id}${below}`, body)).body).toMatchObject({
        suspension,
      });
    const refused = await own.call('PUT', `/api/qr/codes/${id}`, { suspension: null });
    expect(refused).toMatchObject({ status: 400, body: { param: 'suspension' } });
    expect((await own.call('GET', `/api/qr/codes/${id}/explain`)).body).toMatchObject({
      decision: { kind: 'suspended', status: 403 },
      decidedBy: 'status',
    });

    await verb('lift-suspension', { code: id });
    expect(await codeOf(id)).toMatchObject({ suspension: null });
    await expect
      .poll(async () => (await eventsOf(id)).map(({ type }) => type))
      .toEqual(expect.arrayContaining(['qr.suspended', 'qr.suspension_lifted']));
    const events = await eventsOf(id);
    expect(events.find(({ type }) => type === 'qr.suspended')!.data).toMatchObject(suspension);
    const { body: history } = await own.call('GET', `/api/qr/codes/${id}/history`);
    expect(JSON.stringify(history)).toContain('suspension');
  });

  test('that is suspended again for the same reason stays as it is', async () => {
    const { id } = await own.createCode();
    await verb('suspend-code', { code: id, reason: 'spam' });
    const first = await codeOf(id);
    await verb('suspend-code', { code: id, reason: 'spam' });
    expect(await codeOf(id)).toEqual(first);
    await verb('lift-suspension', { code: id });
    await verb('lift-suspension', { code: id });
    expect((await eventsOf(id)).filter(({ type }) => type === 'qr.suspension_lifted').length).toBeLessThan(2);
  });

  test('that does not exist is refused', async () => {
    await expect(verb('suspend-code', { code: 'abcdefghi', reason: 'x' })).rejects.toThrow();
    await expect(verb('lift-suspension', { code: 'nothing' })).rejects.toThrow();
  });
});

describe('a report of a visitor', () => {
  let visitors = 0;
  const visitor = () => `203.0.113.${++visitors}`;
  const report = (body: object, address = visitor()) =>
    plane.callWith(undefined)('POST', '/api/abuse-reports', body, { 'x-forwarded-for': address });

  test('is the last one of its address for an hour, if it is the tenth', async () => {
    const { id } = await own.createCode();
    const address = visitor();
    for (let sent = 0; sent < 10; sent++)
      expect((await report({ id, reason: 'spam' }, address)).status).toBe(202);
    expect((await report({ id, reason: 'spam' }, address)).status).toBe(429);
    expect((await report({ id, reason: 'spam' })).status).toBe(202);
  });

  test('by the id, the URL or an alias waits for the operator, who decides all of the code at once', async () => {
    const { id, redirectUrl } = await own.createCode();
    await own.call('POST', `/api/qr/codes/${id}/aliases`, { alias: 'reported-alias' });
    const sent = [
      { id, reason: 'phishing', details: 'A copy of my bank', contact: 'anna@example.com' },
      { url: `${redirectUrl}+`, reason: 'spam' },
      { url: 'https://qr.example.com/r/Reported-Alias', reason: 'malware' },
    ];
    for (const body of sent) expect((await report(body)).status).toBe(202);
    const reports = await openReportsOf(id);
    expect(reports.map(({ reason }) => reason)).toEqual(['phishing', 'spam', 'malware']);
    expect(reports[0]).toMatchObject({ source: 'visitor', contact: 'anna@example.com' });
    const flags = { report: reports[0]!.id as string, decision: 'suspend', reason: 'Phishing' };
    expect(await verb('decide-abuse-report', flags)).toEqual([{ code: id, decision: 'suspend', reports: 3 }]);
    expect(await codeOf(id)).toMatchObject({ suspension: { reason: 'Phishing' } });
    expect(await openReportsOf(id)).toEqual([]);
    await expect(verb('decide-abuse-report', flags)).rejects.toThrow(NothingFound);
  });

  /** A domain that a workspace has verified. */
  const addDomain = async (workspace: Workspace, domain: string): Promise<void> => {
    expect((await workspace.call('POST', '/api/domains', { domain })).status).toBe(201);
    await plane.pool.query(
      `UPDATE domains SET status = 'verified', verified_at = now() WHERE workspace_id = $1 AND domain = $2`,
      [workspace.workspaceId, domain],
    );
  };

  /** @returns the id of a code with the alias */
  const addAlias = async (workspace: Workspace, domain: string, alias: string): Promise<string> => {
    const { id } = await workspace.createCode();
    const added = await workspace.call('POST', `/api/qr/codes/${id}/aliases`, { alias, domain });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    return id;
  };

  test('by an alias at a domain is of the code there, and of none of another workspace with the same alias at its own', async () => {
    const other = await plane.workspace();
    await addDomain(other, 'first.reported.example');
    await addDomain(own, 'second.reported.example');
    // Written as in the URL, it would come first.
    const othersId = await addAlias(other, 'first.reported.example', 'Menu');
    const id = await addAlias(own, 'second.reported.example', 'menu');
    const url = 'https://second.reported.example/Menu';
    expect((await report({ url, reason: 'spam' })).status).toBe(202);
    expect(await openReportsOf(othersId)).toEqual([]);
    expect(await openReportsOf(id)).toHaveLength(1);
  });

  test('by an alias at a domain is of the workspace that has the domain now, and of none that had it before', async () => {
    const former = await plane.workspace();
    const domain = 'moved.reported.example';
    await addDomain(former, domain);
    const formersId = await addAlias(former, domain, 'Menu');
    const url = `https://${domain}/Menu`;
    await plane.pool.query(
      `UPDATE domains SET status = 'off', missing_since = now() WHERE workspace_id = $1 AND domain = $2`,
      [former.workspaceId, domain],
    );
    await addDomain(own, domain);
    const id = await addAlias(own, domain, 'menu');
    expect((await report({ url, reason: 'spam' })).status).toBe(202);
    expect(await openReportsOf(formersId)).toEqual([]);
    expect(await openReportsOf(id)).toHaveLength(1);
  });

  test('is sent from a page in the visitor’s language, without a script', async () => {
    const { id } = await own.createCode();
    const form = `${plane.url}/api/abuse-reports/form`;
    const page = await fetch(`${form}?code=${id}`, { headers: { 'accept-language': 'de' } });
    expect(await page.text()).toContain('Einen Code melden');
    const send = (fields: Record<string, string>) =>
      fetch(form, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } });
    const sent = await send({ code: id, reason: 'spam', details: '', contact: '' });
    expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining('Thank you')]);
    expect((await openReportsOf(id))[0]).toMatchObject({ reason: 'spam' });
    expect((await send({ code: id, reason: '' })).status).toBe(400);
  });

  test.each([
    ['the whole address', (alias: string) => `https://qr.example.com/r/${alias}`],
    ['the address without its scheme', (alias: string) => `qr.example.com/r/${alias}`],
    ['the alias alone, with the plus sign of its preview', (alias: string) => `${alias}+`],
  ])('from the page may name the code by %s', async (name, typed) => {
    const alias = name.replaceAll(/\W+/g, '-');
    const { id } = await own.createCode();
    expect((await own.call('POST', `/api/qr/codes/${id}/aliases`, { alias })).status).toBe(201);
    const sent = await fetch(`${plane.url}/api/abuse-reports/form`, {
      method: 'POST',
      body: new URLSearchParams({ code: typed(alias), reason: 'spam' }),
      headers: { accept: 'text/html', 'x-forwarded-for': visitor() },
    });
    expect([sent.status, await openReportsOf(id)]).toEqual([
      200,
      [expect.objectContaining({ reason: 'spam' })],
    ]);
  });

  test('of a code that does not exist is answered alike, and not kept', async () => {
    const known = await report({ id: (await own.createCode()).id, reason: 'other' });
    const unknown = await report({ id: '111111111', reason: 'other' });
    expect(unknown.body).toEqual(known.body);
    expect(await openReportsOf('111111111')).toEqual([]);
  });

  test.each([
    [{}, 400],
    [{ id: 'a', url: 'https://a.example/', reason: 'spam' }, 422],
    [{ id: 'a', reason: 'boring' }, 422],
    [{ url: 'ftp://a', reason: 'spam' }, 422],
  ])('that says %j is refused with %i', async (body, status) => {
    expect((await report(body)).status).toBe(status);
  });

  test('is one of at most twenty that are kept of a code', async () => {
    const { id } = await own.createCode();
    await plane.pool.query(
      `INSERT INTO abuse_reports (id, code_id, workspace_id, source, reason)
       SELECT 'abr_' || n, $1, 'ws', 'visitor', 'spam' FROM generate_series(1, 20) n`,
      [id],
    );
    await report({ id, reason: 'phishing' });
    expect(await openReportsOf(id)).toHaveLength(20);
  });
});

describe('the nightly screening', () => {
  let now: Screening;
  const run = async (suspends: boolean, screening: Nightly = now) => {
    const warnings: object[] = [];
    const logger = { warn: (fields: object) => warnings.push(fields) } as never;
    await verb('screen-codes');
    await screeningTask({ pool: plane.pool, outbox, screening, suspends, logger }).run({});
    return warnings;
  };

  test('reports a code whose destination was blocked later, once, and suspends it if the operator wants that', async () => {
    const before = await own.createCode({ data: 'https://later-evil.example/' });
    const rule = { condition: { country: ['DE'] }, destination: 'https://sub.later-evil.example/x' };
    const ruled = await own.createCode({ data: 'https://good.example/', routingRules: [rule] });
    const good = await own.createCode({ data: 'https://good.example/' });
    await verb('block-destination', { destination: 'later-evil.example' });
    now = createScreening(plane.pool, undefined);

    await run(false);
    await run(false);
    expect(await openReportsOf(good.id)).toEqual([]);
    const [found, ...more] = await openReportsOf(before.id);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ source: 'screening', reason: 'blocked-destination' });
    expect(JSON.parse(found!.details as string)).toMatchObject({
      field: 'destination',
      by: 'later-evil.example',
    });
    expect(await codeOf(before.id)).toMatchObject({ suspension: null });
    expect((await openReportsOf(ruled.id))[0]!.details).toContain('routingRules[0].destination');

    await verb('decide-abuse-report', { report: found!.id as string, decision: 'dismiss' });
    const fresh = await own.createCode({ data: 'https://good.example/', notes: 'x' });
    await plane.pool.query('UPDATE codes SET destination = $2 WHERE id = $1', [
      fresh.id,
      'https://later-evil.example/y',
    ]);
    await run(true);
    expect(await codeOf(before.id)).toMatchObject({ suspension: null });
    expect(await codeOf(fresh.id)).toMatchObject({
      suspension: { reason: expect.stringContaining('destination') },
    });
  });

  test.each<[string, object]>([
    ['campaign.variants[0].destination', { campaign: { status: 'active', variants: [{ weight: 1 }] } }],
    ['deepLinkConfig.ios.url', { deepLinkConfig: { ios: {} } }],
    ['messages.expired.button.url', { messages: { expired: { button: { label: 'x' } } } }],
    ['schedule[0].destination', { schedule: [{ at: '2999-01-01T00:00:00Z' }] }],
    ['expiredUrl', {}],
    ['beforeStartUrl', { startsAt: '2999-01-01T00:00:00Z' }],
  ])('reports what is blocked at %s', async (field, fields) => {
    const host = `by-field-${field.toLowerCase().replaceAll(/\W/g, '')}.example`;
    const body = structuredClone(fields) as Record<string, unknown>;
    const at = field.split(/[.[\]]+/);
    const last = at.pop()!;
    const holder = at.reduce((part, key) => part[key] as Record<string, unknown>, body);
    holder[last] = `https://${host}/x`;
    const { id } = await own.createCode({ data: 'https://good.example/', ...body });
    await verb('block-destination', { destination: host });
    now = createScreening(plane.pool, undefined);
    await run(false);
    const [found] = await openReportsOf(id);
    expect(JSON.parse(found!.details as string)).toMatchObject({ field, by: host });
  });

  test('reads little more than a megabyte of codes at once, and misses none', async () => {
    const many: string[] = [];
    for (let n = 0; n < 20; n++) many.push((await own.createCode()).id);
    await plane.pool.query(
      `UPDATE codes SET routing = jsonb_build_object('schedule', jsonb_build_array(jsonb_build_object(
         'at', '2999-01-01T00:00:00Z', 'destination', 'https://good.example/' || repeat('x', 200000))))
       WHERE id = ANY($1)`,
      [many],
    );
    const lengths: number[] = [];
    let seen = 0;
    const screening: Nightly = {
      isIdle: async () => false,
      hasWebRisk: false,
      async findingsIn(stored) {
        const texts = stored.map((each) => JSON.stringify(each));
        seen += texts.length;
        lengths.push(texts.join('').length);
        return stored.map(() => []);
      },
    };
    await run(false, screening);
    const { rows } = await plane.pool.query(
      'SELECT count(*)::int AS count FROM codes WHERE suspended_at IS NULL',
    );
    expect(seen).toBe(rows[0].count);
    expect(Math.max(...lengths)).toBeLessThan(1.2 * 2 ** 20);
    expect(lengths.length).toBeGreaterThan(3);
  });

  const progress = async () =>
    (await plane.pool.query('SELECT lists_after, web_risk_after FROM screening_progress')).rows[0];

  test('looks up the lists while the service is away, and asks the service once it answers again', async () => {
    const { id } = await own.createCode({ data: 'https://while-away.example/' });
    await verb('block-destination', { destination: 'while-away.example' });
    now = createScreening(plane.pool, undefined);
    let isAway = true;
    let parts: unknown[] = [];
    const screening: Nightly = {
      isIdle: async () => false,
      hasWebRisk: true,
      async findingsIn(stored, part) {
        parts.push(part);
        if (part !== 'lists' && isAway) throw new Error('away');
        return now.findingsIn(stored, part);
      },
    };
    expect(await run(false, screening)).toHaveLength(1);
    expect(await openReportsOf(id)).toHaveLength(1);
    expect(await progress()).toEqual({ lists_after: null, web_risk_after: '0' });
    isAway = false;
    parts = [];
    await screeningTask({ pool: plane.pool, outbox, screening, suspends: false, logger: {} as never }).run(
      {},
    );
    expect(new Set(parts)).toEqual(new Set(['webRisk']));
    expect(await progress()).toEqual({ lists_after: null, web_risk_after: null });
  });

  test('finds a code again whose suspension was lifted, until that is dismissed', async () => {
    const { id } = await own.createCode({ data: 'https://found-again.example/' });
    await verb('block-destination', { destination: 'found-again.example' });
    now = createScreening(plane.pool, undefined);
    await run(true);
    expect(await openReportsOf(id)).toEqual([]);
    await verb('lift-suspension', { code: id });
    expect(await codeOf(id)).toMatchObject({ suspension: null });

    await run(false);
    const [found, ...more] = await openReportsOf(id);
    expect([found, more]).toMatchObject([{ source: 'screening' }, []]);
    await verb('decide-abuse-report', { report: found!.id as string, decision: 'dismiss' });
    await run(true);
    expect(await openReportsOf(id)).toEqual([]);
    expect(await codeOf(id)).toMatchObject({ suspension: null });
  });

  test('leaves a code alone that is repaired or erased between its screening and its report', async () => {
    const evil = { data: 'https://repaired.example/' };
    const [repaired, erased, left] = [
      await own.createCode(evil),
      await own.createCode(evil),
      await own.createCode(evil),
    ];
    await verb('block-destination', { destination: 'repaired.example' });
    now = createScreening(plane.pool, undefined);
    let isFirst = true;
    const screening: Nightly = {
      isIdle: async () => false,
      hasWebRisk: false,
      async findingsIn(stored, part) {
        const findings = await now.findingsIn(stored, part);
        if (isFirst) {
          await own.call('PUT', `/api/qr/codes/${repaired.id}`, { destination: 'https://good.example/' });
          await own.call('POST', `/api/qr/codes/${erased.id}/erase`);
        }
        isFirst = false;
        return findings;
      },
    };
    expect(await run(true, screening)).toEqual([]);
    expect(await codeOf(repaired.id)).toMatchObject({
      destination: 'https://good.example/',
      suspension: null,
    });
    for (const { id } of [repaired, erased]) expect(await openReportsOf(id)).toEqual([]);
    expect(await codeOf(left.id)).toMatchObject({ suspension: { reason: expect.any(String) } });
  });

  test('begins from the first code if the operator asks for it in the middle of a round', async () => {
    now = createScreening(plane.pool, undefined);
    let isFirst = true;
    const screening: Nightly = {
      isIdle: async () => false,
      hasWebRisk: false,
      async findingsIn(stored, part) {
        if (isFirst) await verb('screen-codes');
        isFirst = false;
        return now.findingsIn(stored, part);
      },
    };
    await run(false, screening);
    expect(await progress()).toEqual({ lists_after: '0', web_risk_after: '0' });
    await screeningTask({ pool: plane.pool, outbox, screening, suspends: false, logger: {} as never }).run(
      {},
    );
    expect(await progress()).toEqual({ lists_after: null, web_risk_after: null });
  });
});
