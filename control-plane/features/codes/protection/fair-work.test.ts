/** Hashing, checking and sealing are slow, and shared fairly. */
import { expect, test } from 'vitest';
import type { ClientError } from '#shared/errors.ts';
import { createPasswords } from './passwords.ts';
import { createSeal } from './seal.ts';

const limits = { runningMax: 1, waitingMax: 4, waitingPerTenantMax: 4, waitMsMax: 60_000 };

/** Sends more work of one tenant than may wait, then some of another. */
const flood = async (work: (tenant: string) => Promise<unknown>) => {
  const many = Array.from({ length: 70 }, () => work('one'));
  const [other, ...settled] = await Promise.allSettled([work('another'), ...many]);
  const refusals = settled.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as ClientError).code] : [],
  );
  return { other, refusals };
};

test('the attempts of one address do not keep out other addresses', async () => {
  const passwords = createPasswords(limits);
  const hash = await passwords.hash('open sesame', 'ws');
  const { other, refusals } = await flood((address) => passwords.verify(hash, 'open sesame', address));
  expect(other).toEqual({ status: 'fulfilled', value: true });
  // Four wait, and one of them gives up its place.
  expect(refusals.sort()).toEqual([...Array(65).fill('RATE_LIMITED'), 'UNAVAILABLE']);
});

test('the new passwords of one workspace do not keep out other workspaces', async () => {
  const passwords = createPasswords(limits);
  const { other, refusals } = await flood((workspaceId) => passwords.hash('open sesame', workspaceId));
  expect(other?.status).toBe('fulfilled');
  expect(refusals).toHaveLength(66);
});

test('the payloads of one workspace do not keep out other workspaces', async () => {
  const seal = createSeal(limits);
  const encryption = { type: 'AES', key: 'a passphrase' } as const;
  const { other, refusals } = await flood((workspaceId) => seal('payload', encryption, workspaceId));
  expect(other?.status).toBe('fulfilled');
  expect(refusals).toHaveLength(66);
});
