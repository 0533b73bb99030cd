/** The order of checks: a silent name server holds up only its own workspace. */
import { expect, test } from 'vitest';
import type { DomainObject } from '#schemas/api/domains.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { createLookTurns } from './look-turns.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { createDomainOwner } from './testing/domain-owner.ts';
import type { Look } from './txt-record.ts';

test('repeated verify calls for a silent name server hold up no other workspace', async () => {
  const dns = await startDnsServer();
  const plane = await startTestControlPlane({ environment: { DNS_SERVERS: dns.address } });
  const [own, other] = [await plane.workspace(), await plane.workspace()];
  const { add } = createDomainOwner(dns, own);
  const silent = await add();
  dns.set(silent.dns.name, 'silent');
  const theirs = await add({}, other);
  dns.set(theirs.dns.name, [theirs.dns.value]);
  const verify = (domain: DomainObject, workspace: typeof own) =>
    workspace.call('POST', `/api/domains/${domain.id}/verify`);
  let answered = 0;
  const asking = Array.from({ length: 75 }, async () => {
    const { status } = await verify(silent, own);
    answered++;
    return status;
  });
  await expect.poll(() => dns.askedFor(silent.dns.name), { interval: 10 }).toBeGreaterThan(0);
  expect([(await verify(theirs, other)).status, answered]).toEqual([200, 0]);
  expect(new Set(await Promise.all(asking))).toEqual(new Set([422]));
  // A check asks twice; calls made meanwhile have joined it.
  expect(dns.askedFor(silent.dns.name)).toBeLessThanOrEqual(4);
});

/** Checks that end when the test says so. */
const createHeldLooks = (waitMsMax?: number) => {
  const started: string[] = [];
  const { promise: held, resolve: end } = Promise.withResolvers<Look>();
  const look = createLookTurns((domain) => {
    started.push(domain);
    return held;
  }, waitMsMax);
  return {
    started,
    end: () => end({ kind: 'absent', found: [] }),
    look: (workspaceId: string, name: string) =>
      look({ id: `dom_${workspaceId}_${name}`, workspaceId, domain: name, token: 'token' }),
  };
};

test('four checks of a workspace run, 16 more wait, and the next one is refused with 429', async () => {
  const { started, end, look } = createHeldLooks();
  const looks = Array.from({ length: 20 }, (_, at) => look('ws_own', `${at}.example`));
  await expect(look('ws_own', 'late.example')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('The workspace has 4 looks'),
  });
  looks.push(look('ws_other', 'other.example'));
  await expect.poll(() => started).toHaveLength(5);
  expect(started).toContain('other.example');
  end();
  expect(new Set(await Promise.all(looks))).toEqual(new Set([{ kind: 'absent', found: [] }]));
  expect(await look('ws_own', 'late.example')).toEqual({ kind: 'absent', found: [] });
});

test('a check that gets no turn in time is refused with 503, and does not run later', async () => {
  const { started, end, look } = createHeldLooks(200);
  const looks = Array.from({ length: 4 }, (_, at) => look('ws_own', `${at}.example`));
  await expect(look('ws_own', 'late.example')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('late.example could not be looked up within 0.2 seconds'),
  });
  end();
  await Promise.all(looks);
  expect(await look('ws_own', 'next.example')).toEqual({ kind: 'absent', found: [] });
  expect(started).not.toContain('late.example');
});
