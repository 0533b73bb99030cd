/** The order of checks: a silent name server holds up only its own workspace. */
import { expect, test } from 'vitest';
import type { DomainObject } from '#schemas/api/domains.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { createCheckQueue } from './check-queue.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { createDomainOwner } from './testing/domain-owner.ts';
import type { Check } from './txt-record.ts';

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
const createHeldChecks = (waitMsMax?: number) => {
  const started: string[] = [];
  const { promise: held, resolve: end } = Promise.withResolvers<Check>();
  const check = createCheckQueue((domain) => {
    started.push(domain);
    return held;
  }, waitMsMax);
  return {
    started,
    end: () => end({ kind: 'absent', found: [] }),
    check: (workspaceId: string, name: string) =>
      check({ id: `dom_${workspaceId}_${name}`, workspaceId, domain: name, token: 'token' }),
  };
};

test('four checks of a workspace run, 16 more wait, and the next one is refused with 429', async () => {
  const { started, end, check } = createHeldChecks();
  const checks = Array.from({ length: 20 }, (_, at) => check('ws_own', `${at}.example`));
  await expect(check('ws_own', 'late.example')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('The workspace has 4 checks'),
  });
  checks.push(check('ws_other', 'other.example'));
  await expect.poll(() => started).toHaveLength(5);
  expect(started).toContain('other.example');
  end();
  expect(new Set(await Promise.all(checks))).toEqual(new Set([{ kind: 'absent', found: [] }]));
  expect(await check('ws_own', 'late.example')).toEqual({ kind: 'absent', found: [] });
});

test('a check that gets no place in time is refused with 503, and does not run later', async () => {
  const { started, end, check } = createHeldChecks(200);
  const checks = Array.from({ length: 4 }, (_, at) => check('ws_own', `${at}.example`));
  await expect(check('ws_own', 'late.example')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('late.example could not be looked up within 0.2 seconds'),
  });
  end();
  await Promise.all(checks);
  expect(await check('ws_own', 'next.example')).toEqual({ kind: 'absent', found: [] });
  expect(started).not.toContain('late.example');
});
