import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DomainObject, domainList, domainObject } from '#schemas/api/domains.ts';
import { domainDocumentId, domainDocuments, parseDocument } from '#schemas/documents.ts';
import type { Event } from '#schemas/events.ts';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { errorSchema } from '../../api/openapi/document.ts';
import { features } from '../../app.ts';
import type { Feature } from '../../framework/feature.ts';
import {
  logo as pngLogo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { type DnsServer, startDnsServer } from './testing/dns-server.ts';
import { createDomainOwner, type DomainOwner, newName } from './testing/domain-owner.ts';
import { checkWhenDue, letPass } from './testing/due.ts';

let plane: TestControlPlane;
let own: Workspace;
let dns: DnsServer;
let add: DomainOwner['add'];
let addVerified: DomainOwner['addVerified'];
const heard: Event[] = [];

const listening: Feature = {
  name: 'listening',
  consumers: [
    {
      types: ['domain.verified', 'domain.record_missing', 'domain.switched_off'],
      async accept(_, events) {
        heard.push(...events);
      },
    },
  ],
};

beforeAll(async () => {
  dns = await startDnsServer();
  plane = await startTestControlPlane({
    features: [...features, listening],
    environment: { DNS_SERVERS: dns.address },
  });
  own = await plane.workspace();
  ({ add, addVerified } = createDomainOwner(dns, own));
});

const setRecord = ({ dns: { name, value } }: DomainObject, ...others: string[]) =>
  dns.set(name, [...others, value]);

const verify = (domain: DomainObject, workspace = own) =>
  workspace.call('POST', `/api/domains/${domain.id}/verify`);

const read = async ({ id }: DomainObject, workspace = own) =>
  domainObject.parse((await workspace.call('GET', `/api/domains/${id}`)).body);

const change = (domain: DomainObject, body: object, workspace = own) =>
  workspace.call('PATCH', `/api/domains/${domain.id}`, body);

const errorOf = (answer: { body: unknown }) => errorSchema.parse(answer.body).error;

const documentOf = async (name: string) => {
  const answer = await plane.internal('GET', `/internal/documents?ids=${domainDocumentId(name)}`);
  const [text] = answer.body as string[];
  return text === undefined ? undefined : parseDocument(domainDocuments, text);
};

const eventsOf = ({ id }: DomainObject) =>
  heard.filter(({ subject }) => subject.id === id).map(({ type, data }) => ({ type, data }));

describe('POST /api/domains', () => {
  test('answers with the record to set and the target of the domain', async () => {
    const domain = await add({ domain: 'Go.Brand.EXAMPLE.' });
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      domain: 'go.brand.example',
      status: 'pending',
      primary: false,
      path: '/r/',
      rootRedirect: null,
      branding: null,
      dns: {
        type: 'TXT',
        name: '_waymark.go.brand.example',
        value: expect.stringMatching(/^waymark-verification=.{24}$/),
      },
      target: 'qr.example.com',
      verifiedAt: null,
      nextCheckAt: expect.any(String),
      switchOffAt: null,
    });
    expect(await read(domain)).toEqual(domain);
    const { domains } = domainList.parse((await own.call('GET', '/api/domains')).body);
    expect(domains).toContainEqual(domain);
  });

  test('an international name is stored in ASCII', async () => {
    expect((await add({ domain: 'Bücher.brand.example' })).domain).toBe('xn--bcher-kva.brand.example');
  });

  test.each([
    ['https://go.example.org', 'must be a host name'],
    ['go.example.org:443', 'must be a host name'],
    ['go.example.org/path', 'must be a host name'],
    ['*.example.org', 'must be a host name'],
    ['go_1.example.org', 'must be a host name'],
    ['go..example.org', 'must be a host name'],
    ['203.0.113.7', 'must be a host name'],
    ['0x7f.1', 'must be a host name'],
    ['[2001:db8::1]', 'must be a host name'],
    ['intranet', 'must have a dot'],
    ['co.uk', 'must not be a public suffix'],
    ['qr.example.com', 'must not be qr.example.com or below it'],
    ['a.QR.example.com', 'must not be qr.example.com or below it'],
    [`${'a.'.repeat(122)}bc`, 'must have at most 244 characters'],
  ])('refuses %s', async (domain, why) => {
    const answer = await own.call('POST', '/api/domains', { domain });
    expect([answer.status, errorOf(answer)]).toEqual([422, expect.stringContaining(`domain ${why}`)]);
  });

  test.each([
    [{ path: '/a/b/' }, 'path must be / or one segment'],
    [{ path: '/go' }, 'path must end with a slash: /go/'],
    [
      { path: '/api/' },
      'path must not be one that is taken: /api/, /docs/, /f/, /fonts/, /i/, /internal/, /m/, /mcp/, /openapi/, /p/, /v/ and those of digits alone',
    ],
    [{ path: '/01/' }, 'path must not be one that is taken'],
    [{ rootRedirect: 'javascript:alert(1)' }, 'rootRedirect must be an absolute http or https URL'],
    [
      { domain: 'loop.brand.example', rootRedirect: 'https://loop.brand.example/?x' },
      'rootRedirect must not lead',
    ],
    [
      { domain: 'loop.brand.example', rootRedirect: 'https://loop.brand.example./' },
      'rootRedirect must not lead',
    ],
    [{ branding: { logo: 'https://example.com/logo.png' } }, 'branding.logo must be a data URI in base64'],
    [{ branding: { logo: 'data:image/png;base64,AAAA' } }, 'branding.logo says that it is image/png'],
    [{ branding: { accent: 'red' } }, 'branding.accent must be a colour'],
    [
      { branding: { texts: { unknown: { title: 'x'.repeat(121) } } } },
      'branding.texts.unknown.title must have',
    ],
  ])('refuses %j', async (body, why) => {
    const answer = await own.call('POST', '/api/domains', { domain: newName(), ...body });
    expect([answer.status, errorOf(answer)]).toEqual([422, expect.stringContaining(why)]);
  });

  test('a workspace has each domain once, and at most 20', async () => {
    const workspace = await plane.workspace();
    const first = await add({}, workspace);
    const again = await workspace.call('POST', '/api/domains', { domain: first.domain });
    expect([again.status, errorOf(again)]).toEqual([409, expect.stringContaining(first.id)]);
    const more = await Promise.all(
      Array.from({ length: 22 }, () => workspace.call('POST', '/api/domains', { domain: newName() })),
    );
    expect(more.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(errorOf(more.find(({ status }) => status === 409)!)).toContain('at most 20 domains');
  });

  test('a PATCH without a field changes nothing, not even updatedAt', async () => {
    const domain = await add();
    const answer = await change(domain, {});
    expect([answer.status, answer.body]).toEqual([200, domain]);
  });

  test('403 for another workspace’s domain, 404 for an unknown one', async () => {
    const foreign = await add({}, await plane.workspace());
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      expect((await own.call(method, `/api/domains/${foreign.id}${suffix}`, body)).status).toBe(403);
      expect((await own.call(method, `/api/domains/dom_1111111111111111${suffix}`, body)).status).toBe(404);
    }
  });
});

describe('POST /api/domains/{id}/verify', () => {
  test('verifies a domain whose record is among others: domain.verified, and the redirectors’ document', async () => {
    const domain = await add({
      path: '/',
      rootRedirect: 'https://www.example.com/ä',
      branding: { texts: { unknown: { title: 'Nothing' } } },
    });
    setRecord(domain, 'v=spf1 -all', 'x'.repeat(600));
    expect(await documentOf(domain.domain)).toBeUndefined();
    const answer = await verify(domain);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...domain,
        status: 'verified',
        verifiedAt: expect.any(String),
        lastCheckedAt: expect.any(String),
        nextCheckAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(eventsOf(domain)).toEqual([{ type: 'domain.verified', data: { domain: domain.domain } }]);
    expect(await documentOf(domain.domain)).toMatchObject({
      workspaceId: own.workspaceId,
      domain: domain.domain,
      active: true,
      path: '/',
      rootRedirect: 'https://www.example.com/%C3%A4',
      brand: { texts: { unknown: { title: 'Nothing' } } },
    });
  });

  test('redirectors know the language of its texts, if it can be detected', async () => {
    const unknown = {
      title: 'Hier ist leider nichts',
      text: 'Der Aufkleber ist vielleicht schon alt. Bitte fragen Sie im Laden danach.',
    };
    const domain = await addVerified({ branding: { texts: { unknown } } });
    expect(domain.branding).toMatchObject({ name: null, texts: { unknown, expired: null } });
    expect((await documentOf(domain.domain))!.brand).toEqual({ texts: { unknown }, language: 'de' });
    const oops = { unknown: { title: 'Oops' } };
    await change(domain, { branding: { texts: oops } });
    expect((await documentOf(domain.domain))!.brand).toEqual({ texts: oops });
  });

  test('a logo of its branding becomes a small picture, in POST and in PATCH', async () => {
    const logo = `data:image/png;base64,${pngLogo}`;
    const domain = await addVerified({ branding: { logo } });
    const shown = { dataUrl: domain.branding!.logo!, width: 40, height: 40 };
    expect(shown.dataUrl).toMatch(/^data:image\/webp;base64,/);
    expect((await documentOf(domain.domain))!.brand).toEqual({ logo: shown });
    const changed = await change(domain, { branding: { logo, name: 'With a name' } });
    expect(domainObject.parse(changed.body).branding).toMatchObject({
      logo: shown.dataUrl,
      name: 'With a name',
    });
    expect((await change(domain, { rootRedirect: null })).body).toMatchObject({
      branding: { name: 'With a name' },
    });
  });

  test('409 if it is verified already', async () => {
    const answer = await verify(await addVerified());
    expect([answer.status, errorOf(answer)]).toEqual([409, expect.stringContaining('is verified already')]);
  });

  test('422 names the values found instead of the record', async () => {
    const domain = await add();
    const none = await verify(domain);
    expect([none.status, errorOf(none)]).toEqual([
      422,
      `There is no TXT record ${domain.dns.name}; it must say ${domain.dns.value}`,
    ]);
    dns.set(domain.dns.name, ['waymark-verification=other', 'second']);
    const other = await verify(domain);
    expect([other.status, errorOf(other)]).toEqual([
      422,
      `The TXT record ${domain.dns.name} must say ${domain.dns.value}; found: waymark-verification=other, second`,
    ]);
    expect((await read(domain)).lastCheckError).toBe(errorOf(other));
    dns.set(domain.dns.name, [`"${domain.dns.value}"`]);
    const inQuotes = await verify(domain);
    expect([inQuotes.status, errorOf(inQuotes)]).toEqual([
      422,
      `The TXT record ${domain.dns.name} must say ${domain.dns.value}; found: "${domain.dns.value}"; the quotes are part of it: set it without them`,
    ]);
    dns.set(domain.dns.name, 'SERVFAIL');
    const failed = await verify(domain);
    expect([failed.status, errorOf(failed)]).toEqual([422, expect.stringContaining('SERVFAIL')]);
  });

  test('if two workspaces verify a name at once, one gets it, and the other gets 409 with the reason', async () => {
    const other = await plane.workspace();
    const name = newName();
    const mine = await add({ domain: name });
    const theirs = await add({ domain: name }, other);
    dns.set(mine.dns.name, [mine.dns.value, theirs.dns.value]);
    // Both have seen their record, and neither has saved it yet.
    const holder = await plane.pool.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('domain name ' || $1, 0))`, [name]);
    const verifying = Promise.all([verify(mine), verify(theirs, other)]);
    const waiting = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`;
    await expect.poll(async () => (await plane.pool.query(waiting)).rowCount, { interval: 20 }).toBe(2);
    await holder.query('COMMIT');
    holder.release();
    const answers = await verifying;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(errorOf(refused)).toBe(`${name} is verified by another workspace`);
    expect([...eventsOf(mine), ...eventsOf(theirs)]).toHaveLength(1);
    const statuses = [(await read(mine)).status, (await read(theirs, other)).status];
    expect(statuses.sort()).toEqual(['pending', 'verified']);
  });
});

describe('the job', () => {
  test('sees the record of a pending domain', async () => {
    const domain = await add();
    await checkWhenDue(plane.pool, domain.id);
    expect(await read(domain)).toMatchObject({ status: 'pending', lastCheckError: expect.any(String) });
    setRecord(domain);
    await checkWhenDue(plane.pool, domain.id);
    expect(await read(domain)).toMatchObject({ status: 'verified', lastCheckError: null });
    expect(eventsOf(domain)).toHaveLength(1);
  });

  test('reports a record gone for a day, and switches the domain off after 30 days; it comes back with the record', async () => {
    const domain = await addVerified();
    const { id, domain: name } = domain;
    dns.set(domain.dns.name, []);
    for (let checks = 0; checks < 2; checks++) {
      await checkWhenDue(plane.pool, id);
      expect((await read(domain)).status).toBe('verified');
      await letPass(plane.pool, id, '12 hours');
    }
    await checkWhenDue(plane.pool, id);
    const missing = await read(domain);
    expect(missing).toMatchObject({ status: 'missing', missingSince: expect.any(String) });
    const since = Date.parse(missing.missingSince!);
    expect(Date.parse(missing.switchOffAt!)).toBe(since + 30 * 86_400_000);
    expect(eventsOf(domain).at(-1)).toEqual({
      type: 'domain.record_missing',
      data: { domain: name, missingSince: missing.missingSince, switchOffAt: missing.switchOffAt },
    });
    expect(await documentOf(name)).toMatchObject({ active: true });

    await letPass(plane.pool, id, '29 days');
    await checkWhenDue(plane.pool, id);
    expect((await read(domain)).status).toBe('missing');
    await letPass(plane.pool, id, '1 day');
    await checkWhenDue(plane.pool, id);
    expect(await read(domain)).toMatchObject({ status: 'off', switchOffAt: null });
    expect(eventsOf(domain).at(-1)).toEqual({ type: 'domain.switched_off', data: { domain: name } });
    expect(await documentOf(name)).toMatchObject({ active: false, workspaceId: own.workspaceId });

    setRecord(domain);
    await checkWhenDue(plane.pool, id);
    expect((await read(domain)).status).toBe('verified');
    expect(eventsOf(domain).at(-1)).toEqual({ type: 'domain.verified', data: { domain: name } });
    expect(await documentOf(name)).toMatchObject({ active: true });
  }, 60_000);

  test('checks a domain whose next check is too far in the future: a clock was ahead', async () => {
    const [ahead, later] = [await add(), await add()];
    setRecord(ahead);
    setRecord(later);
    const setCheck = ({ id }: DomainObject, interval: string) =>
      plane.pool.query('UPDATE domains SET next_check_at = clock_timestamp() + $2::interval WHERE id = $1', [
        id,
        interval,
      ]);
    await setCheck(ahead, '10 years');
    await setCheck(later, '24 hours');
    await plane.pool.query(`SELECT graphile_worker.add_job('check-domain-records')`);
    await expect
      .poll(async () => (await read(ahead)).status, { timeout: 60_000, interval: 30 })
      .toBe('verified');
    expect((await read(later)).lastCheckedAt).toBeNull();
  });

  test('has the time of the next check, and after 14 days says that checks have ended until verify is called', async () => {
    const domain = await add();
    await checkWhenDue(plane.pool, domain.id);
    const checked = await read(domain);
    const pauseMs = Date.parse(checked.nextCheckAt!) - Date.parse(checked.lastCheckedAt!);
    expect(pauseMs).toBe(2 * 60_000);

    await letPass(plane.pool, domain.id, '14 days');
    await checkWhenDue(plane.pool, domain.id);
    expect(await read(domain)).toMatchObject({
      status: 'pending',
      nextCheckAt: null,
      lastCheckError: `There is no TXT record ${domain.dns.name}; it must say ${domain.dns.value}. It was checked for 14 days, and is no longer checked: POST /api/domains/${domain.id}/verify starts again`,
    });
    expect((await verify(domain)).status).toBe(422);
    const anew = await read(domain);
    expect(anew.nextCheckAt).not.toBeNull();
    expect(anew.lastCheckError).not.toContain('14 days');
  });

  test('a failing name server does not count as a missing record', async () => {
    const domain = await addVerified();
    dns.set(domain.dns.name, 'SERVFAIL');
    for (let checks = 0; checks < 4; checks++) {
      await checkWhenDue(plane.pool, domain.id);
      await letPass(plane.pool, domain.id, '12 hours');
    }
    expect(await read(domain)).toMatchObject({
      status: 'verified',
      lastCheckError: expect.stringContaining('SERVFAIL'),
    });
  });
});

describe('a domain that was switched off, or deleted', () => {
  const switchOff = async (domain: DomainObject) => {
    dns.set(domain.dns.name, []);
    await plane.pool.query(
      `UPDATE domains SET status = 'missing', missing_since = now() - interval '31 days' WHERE id = $1`,
      [domain.id],
    );
    await checkWhenDue(plane.pool, domain.id);
    expect((await read(domain)).status).toBe('off');
  };

  test('may become another workspace’s, and stays theirs even if the old record comes back', async () => {
    const domain = await addVerified();
    await switchOff(domain);
    const other = await plane.workspace();
    const theirs = await addVerified({ domain: domain.domain }, other);
    expect(await documentOf(domain.domain)).toMatchObject({ active: true, workspaceId: other.workspaceId });
    dns.set(domain.dns.name, [domain.dns.value, theirs.dns.value]);
    await checkWhenDue(plane.pool, domain.id);
    expect(await read(domain)).toMatchObject({
      status: 'off',
      lastCheckError: `${domain.domain} is verified by another workspace`,
    });
    expect((await own.call('DELETE', `/api/domains/${domain.id}`)).status).toBe(204);
    expect(await documentOf(domain.domain)).toMatchObject({ active: true, workspaceId: other.workspaceId });
  });

  test('goes to the owner of its DNS if the old record is gone: the old domain is missing first, then off', async () => {
    const domain = await addVerified();
    const other = await plane.workspace();
    const theirs = await add({ domain: domain.domain }, other);
    dns.set(domain.dns.name, [domain.dns.value, theirs.dns.value]);
    expect((await verify(theirs, other)).status).toBe(409);
    expect((await read(domain)).status).toBe('verified');

    setRecord(theirs);
    expect((await verify(theirs, other)).status).toBe(409);
    expect(await read(domain)).toMatchObject({ status: 'missing', missingSince: expect.any(String) });
    expect(eventsOf(domain).map(({ type }) => type)).toEqual(['domain.verified', 'domain.record_missing']);
    expect(await documentOf(domain.domain)).toMatchObject({ active: true, workspaceId: own.workspaceId });

    dns.set(domain.dns.name, [domain.dns.value, theirs.dns.value]);
    expect((await verify(theirs, other)).status).toBe(409);
    expect((await read(domain)).status).toBe('missing');

    setRecord(theirs);
    expect((await verify(theirs, other)).status).toBe(200);
    expect((await read(domain)).status).toBe('off');
    await expect.poll(() => eventsOf(domain).at(-1)?.type).toBe('domain.switched_off');
    await expect.poll(() => eventsOf(theirs).at(-1)?.type).toBe('domain.verified');
    expect(await documentOf(domain.domain)).toMatchObject({ active: true, workspaceId: other.workspaceId });
  });

  test('has a document that serves nothing, with a higher version than before', async () => {
    const domain = await addVerified();
    const before = await documentOf(domain.domain);
    expect((await own.call('DELETE', `/api/domains/${domain.id}`)).status).toBe(204);
    const after = await documentOf(domain.domain);
    expect(after).toMatchObject({ active: false, workspaceId: '' });
    expect(after!.version).toBeGreaterThan(before!.version);
    expect((await own.call('GET', `/api/domains/${domain.id}`)).status).toBe(404);
  });
});

describe('DELETE of a domain', () => {
  const remove = ({ id }: DomainObject, query = '', workspace = own) =>
    workspace.call('DELETE', `/api/domains/${id}${query}`);

  test('is 409 without force=true if codes may have been printed with it: they would be 404 there', async () => {
    const workspace = await plane.workspace();
    const domain = await addVerified({ path: '/' }, workspace);
    await change(domain, { primary: true }, workspace);
    const primary = await remove(domain, '', workspace);
    expect([primary.status, errorOf(primary)]).toEqual([
      409,
      `primary: new codes are printed with https://${domain.domain}/, and all that were would be 404 there; DELETE it with ?force=true where that is meant`,
    ]);
    await change(domain, { primary: false }, workspace);
    const printed = await remove(domain, '?force=false', workspace);
    expect([printed.status, errorOf(printed)]).toEqual([
      409,
      `domain: codes may have been printed with https://${domain.domain}/, and would be 404 there; DELETE it with ?force=true where that is meant`,
    ]);
    expect(await read(domain, workspace)).toMatchObject({ status: 'verified' });
    expect(await documentOf(domain.domain)).toMatchObject({ active: true });
    expect((await remove(domain, '?force=yes', workspace)).status).toBe(400);
    expect((await remove(domain, '?force=true', workspace)).status).toBe(204);
    expect(await documentOf(domain.domain)).toMatchObject({ active: false });
  });

  test('needs no force if no code was printed with it, or if it serves nothing', async () => {
    const workspace = await plane.workspace();
    expect((await remove(await add({}, workspace), '', workspace)).status).toBe(204);
    expect((await remove(await addVerified({}, workspace), '', workspace)).status).toBe(204);
    const off = await addVerified({}, workspace);
    await change(off, { primary: true }, workspace);
    const setStatus = (status: string) =>
      plane.pool.query('UPDATE domains SET status = $2, missing_since = now() WHERE id = $1', [
        off.id,
        status,
      ]);
    await setStatus('missing');
    expect((await remove(off, '', workspace)).status).toBe(409);
    await setStatus('off');
    expect((await remove(off, '', workspace)).status).toBe(204);
  });
});

describe('the primary domain', () => {
  test('gives its links only to codes made from then on', async () => {
    const workspace = await plane.workspace();
    const before = await workspace.createCode();
    const domain = await addVerified({ path: '/' }, workspace);
    expect((await workspace.createCode()).redirectUrl).toMatch(/^https:\/\/qr\.example\.com\/r\//);
    expect((await change(domain, { primary: true }, workspace)).status).toBe(200);
    const code = await workspace.createCode();
    expect(code.redirectUrl).toBe(`https://${domain.domain}/${code.id}`);

    const second = await addVerified({ path: '/go/' }, workspace);
    expect((await change(second, { primary: true }, workspace)).body).toMatchObject({ primary: true });
    expect((await read(domain, workspace)).primary).toBe(false);
    const later = await workspace.createCode();
    expect(later.redirectUrl).toBe(`https://${second.domain}/go/${later.id}`);

    expect((await change(second, { primary: false }, workspace)).status).toBe(200);
    const last = await workspace.createCode();
    expect(last.redirectUrl).toBe(`https://qr.example.com/r/${last.id}`);
    for (const each of [before, code, later])
      expect((await workspace.call('GET', `/api/qr/codes/${each.id}`)).body).toMatchObject({
        redirectUrl: each.redirectUrl,
      });
  });

  test('must be verified, and gives no links while its record is missing', async () => {
    const workspace = await plane.workspace();
    const pending = await add({}, workspace);
    const refused = await change(pending, { primary: true }, workspace);
    expect([refused.status, errorOf(refused)]).toEqual([409, expect.stringContaining('is pending')]);
    setRecord(pending);
    await verify(pending, workspace);
    await change(pending, { primary: true }, workspace);
    await plane.pool.query(`UPDATE domains SET status = 'missing', missing_since = now() WHERE id = $1`, [
      pending.id,
    ]);
    expect((await workspace.createCode()).redirectUrl).toMatch(/^https:\/\/qr\.example\.com\/r\//);
    expect((await verify(pending, workspace)).status).toBe(200);
    expect((await workspace.createCode()).redirectUrl).toMatch(`https://${pending.domain}/r/`);
  });

  test('keeps a path that codes were printed with', async () => {
    const workspace = await plane.workspace();
    const domain = await addVerified({ path: '/r/' }, workspace);
    await change(domain, { primary: true }, workspace);
    expect((await change(domain, { path: '/go/' }, workspace)).body).toMatchObject({ path: '/go/' });
    const refused = await change(domain, { path: '/' }, workspace);
    expect([refused.status, errorOf(refused)]).toEqual([409, expect.stringContaining('it stays /go/')]);
    const free = await addVerified({ path: '/a/' }, workspace);
    expect((await change(free, { path: '/b/' }, workspace)).body).toMatchObject({ path: '/b/' });
    expect(await documentOf(free.domain)).toMatchObject({ path: '/b/' });
  });
});

test.skipIf(!hasProgram('curl'))(
  'the guide’s lines add a domain, verify it, and print codes with it',
  async () => {
    const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(guide)!;
    const [adding, ...others] = block.split('\n\n');
    const workspace = await plane.workspace();
    const folder = await temporaryFolder();
    const paste = async (lines: string): Promise<string> => {
      const settings = `set -eo pipefail; KEY=${workspace.apiKey}`;
      const script = `${settings}\n${lines.replaceAll('localhost:3000', plane.url.slice(7))}`;
      return (await promisify(execFile)('bash', ['-c', script], { cwd: folder })).stdout.trim();
    };
    const id = (await paste(`${adding}\necho\necho $DOMAIN`)).split('\n').at(-1)!;
    const added = domainObject.parse((await workspace.call('GET', `/api/domains/${id}`)).body);
    setRecord(added);
    await paste(`DOMAIN=${id}\n${others.join('\n')}`);
    expect((await workspace.createCode()).redirectUrl).toMatch(/^https:\/\/go\.example\.com\/\w{9}$/);
  },
);
