/** Checks after a clock that was ahead has written times. */
import { expect, test } from 'vitest';
import { afterCheck } from './check-state.ts';
import type { Domain } from './domain.ts';

const now = new Date('2026-05-04T12:00:00Z');
const ahead = new Date('2036-05-04T12:00:00Z');

const served: Domain = {
  ...{ id: 'dom_1', workspaceId: 'ws_1', domain: 'go.brand.example', token: 'token', primary: false },
  ...{ path: '/r/', pathIsPrinted: false, rootRedirect: null, branding: null, version: 1 },
  ...{ notFoundUrl: null, expiredUrl: null, aliasCase: 'fold' },
  ...{ status: 'verified', verifiedAt: ahead, lastCheckedAt: ahead, lastCheckError: null },
  ...{ absences: 1, absentSince: ahead, missingSince: null, checks: 0, checkingSince: ahead },
  ...{ nextCheckAt: ahead, createdAt: ahead, updatedAt: ahead },
};

const absent = (domain: Domain, byOwner = false) =>
  afterCheck(domain, { kind: 'absent', found: [] }, { now, byOwner, isTaken: false });

test('a record first absent in the future is first absent now', () => {
  expect(absent(served)).toMatchObject({ status: 'verified', absences: 2, absentSince: now });
});

test('a record missing since a future time is missing since now', () => {
  expect(absent({ ...served, status: 'missing', missingSince: ahead })).toMatchObject({
    status: 'missing',
    missingSince: now,
  });
});

test('a domain checked since a future time is checked since now', () => {
  expect(absent({ ...served, status: 'pending' })).toMatchObject({ checks: 1, checkingSince: now });
});
