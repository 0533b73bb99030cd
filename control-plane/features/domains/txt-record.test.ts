/** Checks for a record: several resolvers, and values that resemble the wanted one. */
import { beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from './testing/dns-server.ts';
import { newName } from './testing/domain-owner.ts';
import { createRecordCheck } from './txt-record.ts';

const wanted = 'waymark-verification=abc';
let first: DnsServer;
let second: DnsServer;

beforeAll(async () => {
  [first, second] = [await startDnsServer(), await startDnsServer()];
});

const check = (domain: string) => createRecordCheck([first.address, second.address])(domain, wanted);

test.each(['SERVFAIL', 'REFUSED', 'silent'] as const)(
  'if the first resolver fails (%s), the next one is asked',
  async (failure) => {
    const [present, absent] = [newName(), newName()];
    for (const domain of [present, absent]) first.set(`_waymark.${domain}`, failure);
    second.set(`_waymark.${present}`, [wanted]);
    second.set(`_waymark.${absent}`, []);
    expect(await Promise.all([present, absent].map(check))).toMatchObject([
      { kind: 'present' },
      { kind: 'absent', found: [] },
    ]);
  },
);

test('if the first resolver answers, no other one is asked', async () => {
  const domain = newName();
  second.set(`_waymark.${domain}`, [wanted]);
  expect(await check(domain)).toEqual({ kind: 'absent', found: [] });
  expect(second.askedFor(`_waymark.${domain}`)).toBe(0);
});

test('if all resolvers fail, the check fails', async () => {
  const domain = newName();
  first.set(`_waymark.${domain}`, 'REFUSED');
  second.set(`_waymark.${domain}`, 'SERVFAIL');
  expect(await check(domain)).toEqual({ kind: 'failed', problem: expect.stringContaining('SERVFAIL') });
});

test.each([`${wanted}d`, `x${wanted}`, `a ${wanted} b`])(
  'a record with additional text, %s, does not match',
  async (value) => {
    const domain = newName();
    first.set(`_waymark.${domain}`, [value]);
    expect(await check(domain)).toEqual({ kind: 'absent', found: [value] });
  },
);
