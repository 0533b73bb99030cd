/**
 * Prepares logos in processes that can be killed. On a machine with five times more work than cores an ordinary logo
 * took 80 ms, and a picture of 49 megapixels 0.3 to 2 s. Thousands of codes of one run share a logo, so a prepared logo
 * is cached by its digest, and so is a refusal, for a while.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import { isKeyless, type Tenant } from '../../platform/fair-queue/class-order.ts';
import {
  createProcessPool,
  killedWhile,
  type ProcessOutcome,
} from '../../platform/processes/process-pool.ts';
import type { LogoAnswer, LogoTask } from './logo-process.ts';
import type { PreparedLogo } from './prepare-logo.ts';

export interface LogoPreparationOptions {
  /** Default: 2. */
  processesMax?: number;
  /** The time limit for one logo, in milliseconds. */
  logoMsMax?: number;
}

export interface LogoPreparation {
  /**
   * @param image a data URI, or only base64
   * @param sidePixels longest side of the logo in the picture
   * @param tenant that it is done for
   * @throws {ClientError} UNPROCESSABLE naming `image`: `prepareLogo` refuses it, or it takes too long or too much
   * memory; RATE_LIMITED if too many logos of this tenant wait, or if another logo of this address without a key
   * recently took too long or too much; UNAVAILABLE if too many logos wait, or the process was killed from outside
   */
  prepare(image: string, sidePixels: number, tenant: Tenant): Promise<PreparedLogo>;
  /** The ids of the running processes. */
  pids(): number[];
  close(): void;
}

/** The cached sizes of logos, in pixels; no code of up to 4096 pixels has a larger logo than the last. */
const sides = [256, 512, 1024, 2048] as const;

const cacheBytesMax = 32 * 2 ** 20;
/** A busy machine may refuse a logo that it could draw, so a refusal is not kept for long. */
const refusalMs = 60_000;
const refusalsMax = 1_000;

/** The ban of an address without a key after one of its logos got a process killed. */
const bannedMs = 300_000;
const bannedMax = 10_000;

/** The memory of one process. A picture of 50 megapixels takes 200 MB, and twice as much while it is rotated. */
const memoryBytesMax = 1024 * 2 ** 20;
const heapBytesMax = 256 * 2 ** 20;

const tooMuch = (why: string, cause: string) =>
  new ClientError('UNPROCESSABLE', `image ${why}: give a simpler or a smaller one`, { cause });

type Refused = Exclude<ProcessOutcome<LogoAnswer>, { kind: 'killed' }>;

const refusalOf = (outcome: Refused, logoMsMax: number): ClientError => {
  if (outcome.kind === 'late') return tooMuch('takes too long to draw', `more than ${logoMsMax} ms`);
  if (outcome.kind === 'ended') return tooMuch('takes too much to draw', outcome.why);
  const { answer } = outcome;
  if (answer.ok) throw new Error('a prepared logo has no refusal');
  return new ClientError(answer.code, answer.message);
};

/** Bans of addresses whose logos cost too much; beyond the limit the oldest are forgotten. */
const createBans = () => {
  const bans = createEntryCache<string, true>(bannedMax, { ttl: bannedMs });
  return {
    add(tenant: Tenant): void {
      if (isKeyless(tenant)) bans.set(tenant.address, true);
    },
    /** @throws {ClientError} RATE_LIMITED */
    check(tenant: Tenant): void {
      const leftMs = isKeyless(tenant) ? bans.getRemainingTTL(tenant.address) : 0;
      if (leftMs <= 0) return;
      throw new ClientError(
        'RATE_LIMITED',
        'A logo from your address took too much to draw; send no other for a while, or use a key',
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      );
    },
  };
};

export const createLogoPreparation = ({
  processesMax = 2,
  logoMsMax = 4_000,
}: LogoPreparationOptions = {}): LogoPreparation => {
  const pool = createProcessPool<LogoTask, LogoAnswer>({
    file: new URL('./logo-process.ts', import.meta.url),
    processesMax,
    taskMsMax: logoMsMax,
    memoryBytesMax,
    heapBytesMax,
    waitingMax: 64,
    waitingPerTenantMax: 32,
    waitMsMax: 10_000,
  });
  const logos = new LRUCache<string, PreparedLogo>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ href, svg }) => href.length + (svg?.join('').length ?? 0) + 500,
  });
  const refusals = new LRUCache<string, ClientError>({ max: refusalsMax, ttl: refusalMs });
  /** Preparations in progress: requests for the same logo share one. */
  const preparing = new Map<string, Promise<PreparedLogo>>();
  const bans = createBans();

  const prepareNew = async (key: string, task: LogoTask, tenant: Tenant): Promise<PreparedLogo> => {
    const outcome = await pool.run(task, tenant);
    if (outcome.kind === 'answered' && outcome.answer.ok) {
      logos.set(key, outcome.answer.logo);
      return outcome.answer.logo;
    }
    if (outcome.kind === 'killed') throw killedWhile('drew the logo', outcome);
    if (outcome.kind !== 'answered') bans.add(tenant);
    const refusal = refusalOf(outcome, logoMsMax);
    refusals.set(key, refusal);
    throw refusal;
  };

  return {
    async prepare(image, sidePixels, tenant) {
      const sidePixelsMax = sides.find((side) => side >= sidePixels) ?? sides.at(-1)!;
      const key = `${sidePixelsMax} ${createHash('sha256').update(image).digest('base64url')}`;
      const known = logos.get(key);
      if (known) return known;
      const refusal = refusals.get(key);
      if (refusal) throw refusal;
      bans.check(tenant);
      // A workspace does not wait for a preparation that runs on the share of tenants without a key.
      const classKey = `${isKeyless(tenant) ? 'keyless' : 'keyed'} ${key}`;
      const begun = preparing.get(classKey);
      if (begun) return begun;
      const prepared = prepareNew(key, { image, sidePixelsMax }, tenant).finally(() =>
        preparing.delete(classKey),
      );
      preparing.set(classKey, prepared);
      return prepared;
    },
    pids: pool.pids,
    close: pool.close,
  };
};
