/**
 * The capacities and times of a redirector process that operators do not set. Those used by one file only are constants
 * there.
 */
import path from 'node:path';
import v8 from 'node:v8';
import type { Config } from '#shared/config.ts';
import type { DomainOptions } from './domains/domains.ts';
import type { PassthroughOptions } from './http/passthrough.ts';
import type { MembershipOptions } from './instance/membership.ts';
import type { StateFolder } from './instance/state-folder.ts';
import type { AddressLimitOptions } from './limits/address-limit.ts';
import {
  aliasLimit,
  gs1Limit,
  pageLimit,
  scanLimit,
  verificationLimit,
} from './limits/address-limit-headers.ts';
import type { CapOptions } from './limits/caps.ts';
import { paceSegments } from './recording/insert-pace.ts';
import type { SpoolOptions } from './recording/spool.ts';
import type { UnknownCodesOptions } from './unknown-codes/unknown-codes.ts';
import type { ClaimOptions } from './verify/claims/claims.ts';
import type { VerificationOptions } from './verify/open-verification.ts';

export const capacities = {
  redisTimeoutMs: 250,
  /** Longer than the second that the stream's reader has Redis wait. */
  redisStreamTimeoutMs: 3000,
  diskTimeoutMs: 5000,
  insertTimeoutMs: 30_000,
  lookupTimeoutMs: 1000,
  passwordTimeoutMs: 5000,
  /** How long a start waits for the salt of visitor hashes; without Redis it continues with a salt of its own. */
  saltWaitMs: 2000,
  userAgentsMax: 10_000,
  /** IPv6 addresses whose text is cached. */
  addressesMax: 50_000,
  /** The size of a batch of scans, or of verifications; an iteration of the event loop with more makes several batches. */
  batchBytes: 2 ** 20,
  /** How often the event loop's delay is sampled. prom-client's 10 ms would be most of an idle process's work. */
  loopDelayPrecisionMs: 250,
  controlPlaneConnectionsMax: 64,
  /** Of lookups of pages, whose ids anyone can invent: they take none of the others. */
  pageConnectionsMax: 8,
  connectTimeoutMs: 2000,
  /** How long a stop waits for kept-alive connections, which are closed with their next answer … */
  drainConnectionsMs: 5000,
  /** … for answers under way … */
  drainRequestsMs: 5000,
  /** … and for scans to reach ClickHouse. The rest stay on disk. */
  drainScansMs: 5000,
};

export const recordCapacities = {
  /**
   * A million plain codes take none of it, and a million with destinations of 200 characters nearly all. The rest of
   * the heap has room for lookups and for the collector, which copies the survivors.
   */
  objectBytesMax: Math.min(512 * 2 ** 20, v8.getHeapStatistics().heap_size_limit / 4),
  absentMax: 100_000,
  absentMs: 5000,
  loadingMax: 10_000,
  slowLanePerSecond: 100,
};

/** For each kind of document. */
export const documentCapacities = {
  /** Some ten thousand documents of 1 kB. */
  bytesMax: 64 * 2 ** 20,
  absentMax: 50_000,
  absentMs: 5000,
  loadingMax: 10_000,
};

/** Hosted pages, in place of {@link documentCapacities}. */
export const pageCapacities = {
  /** 10,000 pages of 20 kB, which take 6 kB as Brotli. */
  bytesMax: Math.min(192 * 2 ** 20, v8.getHeapStatistics().heap_size_limit / 4),
  /** One for the text, which is base64, three quarters for the bytes of it, and as much for the gzip of a form. */
  bytesPerChar: ({ kind }: { kind?: string }) => (kind === 'form' ? 3 : 2),
  /** Of further pages the control plane answers the requests. */
  loadingMax: 512,
  /** A page has up to 130 kB of JSON: a question is parsed in some milliseconds. */
  idsMax: 8,
  /** Another release of the control plane writes the same page in another way. */
  takesEqual: true,
};

/** Of one document: the slug, the id of the code and its own. */
const aliasBytesPerChar = 3;

/** Aliases, in place of {@link documentCapacities}. */
export const aliasDocumentCapacities = {
  bytesPerChar: () => aliasBytesPerChar,
  /** With their longest ids, percent-encoded, they fit into a request line. */
  idsMax: 16,
};

export const aliasCapacities = {
  /** Aliases of which nothing is held, that Redis is asked for. One MGET takes hundreds. */
  lookupsPerSecond: 2000,
  /** … and that the control plane is asked for: Redis has what was published. */
  unknownPerSecond: 100,
};

export const domainCapacities: Omit<DomainOptions, 'ownHosts'> = {
  hostsMax: 10_000,
  lookupsPerSecond: 100,
  undecidedMs: 2000,
  undecidedMax: 10_000,
};

export const snapshotCapacities = {
  codesMax: 200_000,
  /** Plain codes take 60 MB of it. At a start all of it is in the heap. */
  bytesMax: Math.min(128 * 2 ** 20, v8.getHeapStatistics().heap_size_limit / 4),
  everyMs: 30_000,
  everyMsMax: 300_000,
  timeoutMs: 5000,
};

export const addressLimitOptions: AddressLimitOptions = {
  name: 'scan-rate',
  ...scanLimit,
  networksMax: 2 ** 17,
  settleEveryMs: 300,
};

export const gs1LimitOptions: AddressLimitOptions = {
  ...addressLimitOptions,
  name: 'gs1-rate',
  ...gs1Limit,
};

export const aliasLimitOptions: AddressLimitOptions = {
  ...addressLimitOptions,
  name: 'alias-rate',
  ...aliasLimit,
};

export const pageLimitOptions: AddressLimitOptions = {
  ...addressLimitOptions,
  name: 'page-rate',
  ...pageLimit,
};

export const capOptions: CapOptions = {
  spentMax: 100_000,
  /** How long a phone waits for a Redis that does not answer; then it must try again. */
  takeWaitMs: 1500,
  waitingMax: 10_000,
  /** Longer than a take lasts. */
  leaseMs: 5000,
  openMs: 15_000,
  rebuildWaitMs: 4000,
  rebuildTimeoutMs: 15_000,
};

export const passthroughOptions: Omit<PassthroughOptions, 'upstreamUrl' | 'token'> = {
  concurrentMax: 512,
  largeMax: 64,
  /** Offices and integrators send many requests at once from one address. */
  perClientMax: 64,
  collectingMax: 4096,
  collectedBytesMax: 64 * 2 ** 20,
  small: {
    bytesMax: 256 * 2 ** 10,
    /** Shorter than uWebSockets.js waits before it closes the connection without an answer. */
    idleMs: 5000,
    totalMs: 30_000,
  },
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
};

/** Where the spools of a state folder are. */
type SpoolFolders = Pick<StateFolder, 'path' | 'runtime'>;

const foldersOf = ({ path: folder, runtime }: SpoolFolders, spool: string) => ({
  folder: path.join(folder, spool),
  journal: runtime === undefined ? undefined : path.join(runtime, spool),
});

/** The spool of scans in a state folder. */
export const scansFolder = 'spool';

/** @param processes how many redirectors send to ClickHouse */
export const spoolOptions = (
  { redirector }: Config,
  stateFolder: SpoolFolders,
  processes: () => number,
): SpoolOptions => ({
  ...foldersOf(stateFolder, scansFolder),
  bytesMax: redirector.spoolBytesMax,
  memoryBytesMax: 64 * 2 ** 20,
  journalBytesMax: 64 * 2 ** 20,
  /**
   * Reached only while segments wait to be sent. In a batch of 35,000 rows a row takes 4.3 µs of ClickHouse's CPU, in
   * one of 70,000 rows (6 to 8 MiB) 3.2, in one of 140,000 2.4, in one of 280,000 2.0. But each byte of a batch may
   * take 25 of ClickHouse's memory, and a batch that does not fit there is never split.
   */
  segmentBytesMax: 16 * 2 ** 20,
  segmentAgeMs: () => paceSegments(redirector.segmentAgeMs, redirector.insertsPerSecond, processes()),
  sync: redirector.spoolSync,
  syncEveryMs: 1000,
  writeTimeoutMs: redirector.spoolWriteTimeoutMs,
});

/** The spool of verifications in a state folder. */
export const verificationsFolder = 'verifications';

/**
 * Nothing is kept in memory, nor in the journal: a verification that cannot be written to disk gets no verdict. A claim lost with a
 * container would be forgotten with Redis' copy a day later, and the item would be authentic once more.
 */
export const verificationSpoolOptions = (
  { redirector }: Config,
  stateFolder: SpoolFolders,
): SpoolOptions => ({
  folder: path.join(stateFolder.path, verificationsFolder),
  journal: undefined,
  bytesMax: redirector.spoolBytesMax,
  memoryBytesMax: 0,
  journalBytesMax: 0,
  /** Half of the control plane's limit. */
  segmentBytesMax: 16 * 2 ** 20,
  segmentAgeMs: () => redirector.segmentAgeMs,
  sync: redirector.spoolSync,
  syncEveryMs: 1000,
  writeTimeoutMs: redirector.spoolWriteTimeoutMs,
});

/** The spool of scan reports in a state folder. */
export const reportsFolder = 'scan-reports';

export const reportSpoolOptions = ({ redirector }: Config, stateFolder: SpoolFolders): SpoolOptions => ({
  ...foldersOf(stateFolder, reportsFolder),
  /** 5 million reports in the default 1 GiB: an hour and a half of 1,000 scans a second. */
  bytesMax: redirector.spoolBytesMax,
  memoryBytesMax: 16 * 2 ** 20,
  journalBytesMax: 16 * 2 ** 20,
  /** 20,000 reports: the control plane has 30 seconds for them, and takes some thousands a second. */
  segmentBytesMax: 4 * 2 ** 20,
  segmentAgeMs: () => redirector.segmentAgeMs,
  sync: redirector.spoolSync,
  syncEveryMs: 1000,
  writeTimeoutMs: redirector.spoolWriteTimeoutMs,
});

/** The spool of views of hosted pages in a state folder. */
export const viewsFolder = 'page-views';

export const viewSpoolOptions = (config: Config, stateFolder: SpoolFolders): SpoolOptions => ({
  ...reportSpoolOptions(config, stateFolder),
  ...foldersOf(stateFolder, viewsFolder),
  /** 60,000 views, half of what the control plane takes at once. */
  segmentBytesMax: 2 ** 21,
});

export const unknownCodeOptions: Omit<UnknownCodesOptions, 'name'> = {
  everyMs: 60_000,
  closeMsMax: 2_000,
  pathsMax: 1_000,
  /** 7 MB, and as much again while a report is on its way. */
  allPathsMax: 20_000,
};

export const verificationMembership: MembershipOptions = {
  key: 'verifiers',
  /**
   * As long as Redis keeps a claim (claimOptions). Otherwise an item claimed on a disk that is gone could be claimed
   * again.
   */
  waitedForMs: 24 * 3_600_000,
};

const claimOptions = ({ spoolWriteTimeoutMs }: Config['redirector']): ClaimOptions => ({
  itemsMax: 100_000,
  /** How long a phone waits for a Redis that does not answer, or for another scan of the item. */
  waitMs: 1500,
  waitingMax: 10_000,
  /** Longer than a claim waits for the control plane, and its batch. */
  leaseMs: 5000,
  keptMs: 24 * 3_600_000,
  deviceMs: 10 * 60_000,
  /** The disk may have one write under way, and then this one. */
  answerWithinMs: 2 * spoolWriteTimeoutMs + 2000,
  marginMs: 500,
  pollMs: 200,
  abandonedAfterMs: 5000,
  barrierTimeoutMs: 15_000 + 2 * spoolWriteTimeoutMs,
  epochWaitMs: 4000,
  /** Half as long as Redis keeps a claim. */
  undeliveredMsMax: 12 * 3_600_000,
});

export const verificationOptions = ({ redirector }: Config): VerificationOptions => ({
  limit: { ...addressLimitOptions, name: 'verification-rate', ...verificationLimit },
  claims: claimOptions(redirector),
  membership: verificationMembership,
  lookupTimeoutMs: capacities.lookupTimeoutMs,
  keyCheckEveryMs: 60_000,
  batchBytes: capacities.batchBytes,
});
