/**
 * A real server with other parts: each part that a scan uses throws, synchronously and after an await; and a store that is slow
 * while the server closes.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { afterFile, freePort } from '../deploy/testing/local.ts';
import type { Domains } from './domains/domains.ts';
import type { Gs1Resolver } from './gs1/gs1-resolver.ts';
import { createPageServer } from './hosted/page-server.ts';
import { createPassthrough } from './http/passthrough.ts';
import { type ServerParts, startServer } from './http/server.ts';
import type { PendingAnswer } from './recording/recorder.ts';
import { createScanHandler, type ScanHandler, type ScanHandlerParts } from './scan/handler.ts';
import { createRecord, logger, phone } from './testing/redirector.ts';
import { noVerifications } from './verify/outcome.ts';
import type { Verifier } from './verify/verifier.ts';
import { createClientAddresses } from './visitor/client-addresses.ts';
import { createUserAgents } from './visitor/user-agents.ts';

const plain = createRecord();
const capped = createRecord({ cap: { max: 5, epoch: 1 } });
const locked = createRecord({ passwordProtected: true });
const lockedAndCapped = createRecord({ passwordProtected: true, cap: { max: 5, epoch: 1 } });
const campaign = createRecord({
  variants: [{ id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 }],
});
const records = new Map<string, CodeRecord>(
  [plain, capped, locked, lockedAndCapped, campaign].map((record) => [record.id, record]),
);

const nextScanId = () => 'AAAAAAAAAAAAAAAAAAAAAA';

/** Parts without a fault. Each test makes one of them fail. */
const sound = (): ScanHandlerParts => ({
  resolver: {
    held: (id) => records.get(id),
    load: async (id) => records.get(id) ?? null,
  },
  qrHost: 'https://qr.example.com',
  brands: { held: () => null, load: async () => null },
  addressLimit: {
    limit: 600,
    windowMs: 60_000,
    allows: () => true,
    count: () => 599,
    statistics: { networks: 0, settled: 0 },
    close: async () => {},
  },
  caps: {
    take: async () => 'taken',
    isSpent: () => false,
    statistics: { taken: 0, capped: 0, unknown: 0, rebuilt: 0, returned: 0 },
    close: async () => {},
  },
  visitorHasher: { hash: () => {}, shared: Promise.resolve(), close: () => {} },
  recorder: { record: (_, answer) => void setImmediate(() => answer.release()), nextScanId },
  reports: { report: (_event, _record, _decision, answer) => answer },
  unknownCodes: { note: () => undefined },
  verifyPassword: async () => ({ answer: 'right' }),
  logger,
  random: () => 0.5,
});

/** All requests are for QR_HOST. */
const domains: Domains = {
  at: () => null,
  load: async () => null,
  isCertified: async () => false,
  statistics: { looked_up: 0, refused: 0, undecided: 0 },
};

/** No verification reaches this server. */
const gs1: Gs1Resolver = {
  handle: () => {},
  describe: () => {},
  preflight: () => {},
  refuseMethod: () => {},
  waiting: 0,
  statistics: {
    redirect: 0,
    linkset: 0,
    unknown: 0,
    invalid: 0,
    verification: 0,
    limited: 0,
    unavailable: 0,
    failed: 0,
  },
};

const verifier: Verifier = {
  handle: () => {},
  handleSerial: () => {},
  handlePost: () => {},
  waiting: 0,
  statistics: noVerifications(),
};

let parts: ScanHandlerParts;
let handler: ScanHandler;
let url: string;

const boom = () => {
  throw new Error('boom');
};
const boomLater = async () => {
  await sleep(1);
  throw new Error('boom');
};

/** The parts, looked up at each call. */
const changeable = (): ScanHandlerParts => ({
  qrHost: 'https://qr.example.com',
  resolver: {
    ...sound().resolver,
    held: (...a) => parts.resolver.held(...a),
    load: (id) => parts.resolver.load(id),
  },
  brands: { held: (id) => parts.brands.held(id), load: (id) => parts.brands.load(id) },
  addressLimit: {
    ...sound().addressLimit,
    allows: (...a) => parts.addressLimit.allows(...a),
    count: (...a) => parts.addressLimit.count(...a),
  },
  caps: {
    ...sound().caps,
    take: (...a) => parts.caps.take(...a),
    isSpent: (r) => parts.caps.isSpent(r),
  },
  visitorHasher: { ...sound().visitorHasher, hash: (...a) => parts.visitorHasher.hash(...a) },
  recorder: { record: (...a) => parts.recorder.record(...a), nextScanId },
  reports: { report: (...a) => parts.reports.report(...a) },
  unknownCodes: { note: (...a) => parts.unknownCodes.note(...a) },
  verifyPassword: (...a) => parts.verifyPassword(...a),
  logger,
  random: () => parts.random(),
});

const start = async (scanHandler: ScanHandler, recorder: ServerParts['recorder']) => {
  const port = await freePort();
  const agent = new Agent();
  afterFile(() => agent.destroy());
  const server = await startServer(
    {
      userAgents: createUserAgents(100),
      clientAddresses: createClientAddresses({
        trustedProxies: [],
        capacity: 100,
        countries: { ofIpv4: () => '', ofText: () => '' },
      }),
      countryHeader: undefined,
      scanHandler,
      aliases: {
        read: () => undefined,
        held: () => null,
        load: async () => ({ codeId: null }),
        waiting: 0,
        statistics: { looked_up: 0, limited: 0, refused: 0, undecided: 0 },
      },
      verifier,
      gs1,
      brands: { heldOrLoaded: () => undefined },
      ownHost: '',
      domains,
      pageServer: createPageServer({
        addressLimit: sound().addressLimit,
        recordView: (_, reply) => reply.release(),
        tokens: { create: () => '' },
        secure: false,
        logger,
      }),
      pageDocuments: { held: () => null, load: async () => null },
      controlPlaneToken: 'a token',
      recorder,
      passthrough: createPassthrough(agent, {
        upstreamUrl: 'http://127.0.0.1:1',
        token: '',
        concurrentMax: 1,
        largeMax: 1,
        perClientMax: 1,
        collectingMax: 1,
        collectedBytesMax: 2 ** 20,
        small: { bytesMax: 1000, idleMs: 1000, totalMs: 1000 },
        headersTimeoutMs: 100,
        bodyTimeoutMs: 100,
      }),
      logger,
    },
    '127.0.0.1',
    port,
  );
  afterFile(() => server.close({ connectionsMs: 0, requestsMs: 100 }));
  return { server, url: `http://127.0.0.1:${port}` };
};

beforeAll(async () => {
  parts = sound();
  handler = createScanHandler(changeable());
  ({ url } = await start(handler, { flush: async () => {} }));
});

const scan = (record: CodeRecord, init: RequestInit = {}) =>
  fetch(`${url}/r/${record.id}`, {
    redirect: 'manual',
    ...init,
    headers: { 'user-agent': phone },
    signal: AbortSignal.timeout(60_000),
  });
const enter = (record: CodeRecord) =>
  scan(record, { method: 'POST', body: new URLSearchParams({ password: 'x' }) });

/** The cap is reached: a page is shown. */
const spent = () => ({ caps: { ...sound().caps, isSpent: () => true } });
const notHeld = { ...sound().resolver, held: () => undefined };
type Fault = [name: string, code: CodeRecord, ask: typeof scan, fault: () => Partial<ScanHandlerParts>];

const faults: Fault[] = [
  [
    'the rate limit is checked',
    plain,
    scan,
    () => ({ addressLimit: { ...sound().addressLimit, allows: boom } }),
  ],
  ['the rate limit counts', plain, scan, () => ({ addressLimit: { ...sound().addressLimit, count: boom } })],
  ['the code is looked up in memory', plain, scan, () => ({ resolver: { ...sound().resolver, held: boom } })],
  ['the visitor is hashed', plain, scan, () => ({ visitorHasher: { ...sound().visitorHasher, hash: boom } })],
  ['the scan is recorded', plain, scan, () => ({ recorder: { record: boom, nextScanId } })],
  ['the scan is reported', plain, scan, () => ({ reports: { report: boom } })],
  ['the variant is drawn', campaign, scan, () => ({ random: boom })],
  ['the code is loaded', plain, scan, () => ({ resolver: { ...notHeld, load: boomLater } })],
  [
    'the scan of a loaded code is counted',
    plain,
    scan,
    () => ({ resolver: notHeld, addressLimit: { ...sound().addressLimit, count: boom } }),
  ],
  [
    'the scan of a loaded code is recorded',
    plain,
    scan,
    () => ({ resolver: notHeld, recorder: { record: boom, nextScanId } }),
  ],
  [
    'the brand is looked up in memory',
    capped,
    scan,
    () => ({ ...spent(), brands: { ...sound().brands, held: boom } }),
  ],
  [
    'the brand is loaded',
    capped,
    scan,
    () => ({ ...spent(), brands: { held: () => undefined, load: boomLater } }),
  ],
  ['the cap is checked', capped, scan, () => ({ caps: { ...sound().caps, isSpent: boom } })],
  ['a slot of the cap is taken', capped, scan, () => ({ caps: { ...sound().caps, take: boomLater } })],
  ['the capped scan is recorded', capped, scan, () => ({ recorder: { record: boom, nextScanId } })],
  ['the password is checked', locked, enter, () => ({ verifyPassword: boomLater })],
  ['the unlocked scan is recorded', locked, enter, () => ({ recorder: { record: boom, nextScanId } })],
  ['the code of a password is loaded', locked, enter, () => ({ resolver: { ...notHeld, load: boomLater } })],
  [
    'a slot of the cap is taken after a password',
    lockedAndCapped,
    enter,
    () => ({ caps: { ...sound().caps, take: boomLater } }),
  ],
];

describe('an error costs the scan a 503, and nothing else, if it is thrown when', () => {
  test.each(faults)('%s', async (_, code, ask, fault) => {
    parts = { ...sound(), ...fault() };
    const failedBefore = handler.statistics.failed + handler.statistics.unavailable;
    const answer = await ask(code);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toEqual({
      error: 'The code cannot be looked up at the moment',
      code: 'UNAVAILABLE',
    });
    expect(handler.statistics.failed + handler.statistics.unavailable).toBe(failedBefore + 1);
    expect(handler.waiting).toBe(0);
    parts = sound();
    expect((await ask(code)).status).toBeGreaterThanOrEqual(300);
    expect((await ask(code)).status).toBeLessThan(400);
  });
});

test('a scan answered before the fault is answered once', async () => {
  parts = {
    ...sound(),
    recorder: {
      record(_, answer) {
        setImmediate(() => answer.release());
        throw new Error('boom');
      },
      nextScanId,
    },
  };
  expect((await scan(plain)).status).toBe(503);
  await sleep(10);
  parts = sound();
  expect((await scan(plain)).status).toBe(302);
});

test('a scan that is answered while a stop waits for the store is stored before the stop ends', async () => {
  let [answered, stored] = [0, 0];
  const recorder = {
    nextScanId,
    record: (_: unknown, answer: PendingAnswer) => {
      answered++;
      answer.release();
    },
    /** Stores what was answered until now, slowly. */
    flush: async () => {
      const before = answered;
      await sleep(200);
      stored = before;
    },
  };
  const { server, url: stopping } = await start(createScanHandler({ ...sound(), recorder }), recorder);
  const { port } = new URL(stopping);
  const socket = net.connect(Number(port), '127.0.0.1');
  afterFile(() => void socket.destroy());
  const line = `GET /r/${plain.id} HTTP/1.1\r\nhost: ${new URL(stopping).host}\r\nuser-agent: ${phone}\r\n\r\n`;
  socket.write(line);
  await once(socket, 'data');
  const closed = server.close({ connectionsMs: 0, requestsMs: 100 });
  await sleep(100);
  socket.write(line);
  await once(socket, 'data');
  await closed;
  expect([answered, stored]).toEqual([2, 2]);
});
