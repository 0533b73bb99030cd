import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DomainDocument } from '#schemas/documents.ts';
import { createDomains, type DomainOptions } from './domains.ts';

const options: DomainOptions = {
  ownHosts: ['qr.example.com'],
  hostsMax: 100,
  lookupsPerSecond: 10,
  undecidedMs: 1000,
  undecidedMax: 100,
};

const documentOf = (domain: string): DomainDocument => ({
  id: `domain:${domain}`,
  version: 1,
  workspaceId: 'ws_1',
  domain,
  active: true,
  path: '/',
});

/** Domains over a store that knows one, with the test's clock. */
const create = () => {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const held = new Map<string, DomainDocument | null>();
  const state = { away: false, until: Promise.resolve(), known: documentOf('go.example.com') };
  const documents = {
    held: (id: string) => held.get(id),
    holds: (id: string) => id === 'domain:restored.example.com',
    load: async (id: string) => {
      asked.push(id);
      await state.until;
      if (state.away) throw new Error('no source answers');
      held.set(id, id === state.known.id ? state.known : null);
      return held.get(id)!;
    },
  };
  const domains = createDomains(options, documents, pino({ level: 'silent' }), () => clock.ms);
  return { domains, asked, state, clock };
};

test('a name is looked up once, and then known, however it is written', async () => {
  const { domains, asked } = create();
  expect(domains.at('go.example.com')).toBeUndefined();
  expect(await domains.load('go.example.com')).toMatchObject({ domain: 'go.example.com' });
  for (const host of ['go.example.com', 'GO.example.com:443', 'go.example.com.'])
    expect(domains.at(host)).toMatchObject({ domain: 'go.example.com' });
  expect(asked).toEqual(['domain:go.example.com']);
});

test('our own hosts, addresses and invalid names count as QR_HOST, without a lookup', () => {
  const { domains, asked } = create();
  for (const host of [
    'qr.example.com',
    'QR.example.com.:1',
    '127.0.0.1',
    '[::1]:80',
    'localhost',
    '',
    'x'.repeat(9999),
  ])
    expect(domains.at(host)).toBeNull();
  expect(asked).toEqual([]);
});

test('a flood of made-up names is looked up at a bounded rate; beyond it they count as QR_HOST', async () => {
  const { domains, asked, clock } = create();
  const visit = async (n: number) => {
    const host = `invented-${n}.example.com`;
    if (domains.at(host) === undefined) await domains.load(host);
  };
  for (let n = 0; n < 1000; n++) await visit(n);
  expect(asked).toHaveLength(10);
  expect(domains.statistics).toMatchObject({ looked_up: 10, refused: 990 });
  clock.ms = 1000;
  for (let n = 1000; n < 2000; n++) await visit(n);
  expect(asked).toHaveLength(20);
});

test('a flood does not affect a domain that is held, or that is being looked up', async () => {
  const { domains, state } = create();
  const answered = Promise.withResolvers<void>();
  state.until = answered.promise;
  expect(domains.at('go.example.com')).toBeUndefined();
  const loading = domains.load('go.example.com');
  for (let n = 0; n < 50; n++) domains.at(`invented-${n}.example.com`);
  expect(domains.at('invented.example.com')).toBeNull();
  expect(domains.at('go.example.com')).toBeUndefined();
  const joining = domains.load('GO.example.com');
  expect(domains.at('restored.example.com')).toBeUndefined();
  answered.resolve();
  expect(await loading).toMatchObject({ domain: 'go.example.com' });
  expect(await joining).toBe(await loading);
});

test('a name that no source can look up counts as QR_HOST for a while, and is then looked up again', async () => {
  const { domains, asked, state, clock } = create();
  state.away = true;
  expect(await domains.load('go.example.com')).toBeNull();
  expect(domains.at('go.example.com')).toBeNull();
  expect(asked).toHaveLength(1);
  state.away = false;
  clock.ms = 1001;
  expect(domains.at('go.example.com')).toBeUndefined();
  expect(await domains.load('go.example.com')).toMatchObject({ domain: 'go.example.com' });
});
