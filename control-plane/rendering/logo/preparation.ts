/**
 * Logos, prepared in processes that can be killed. On a machine with five times more to do than it has cores an ordinary logo took
 * 80 ms there, and a picture of 49 megapixels 0.3 to 2 s. Thousands of codes of one run share one, so what came of it is kept by
 * its digest, and so is a refusal, for a while.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ClientError } from '#shared/errors.ts';
import { isKeyless, type Tenant } from '../../fair-queue/class-order.ts';
import type { PreparedLogo } from './index.ts';
import type { LogoAnswer, LogoTask } from './process.ts';
import { createProcessPool, type Outcome } from './process-pool.ts';

export interface LogoPreparationOptions {
  /** Default: 2. */
  processesMax?: number;
  /** How long one logo may take, in milliseconds. */
  logoMsMax?: number;
}

export interface LogoPreparation {
  /**
   * @param image a data URI, or base64 alone
   * @param sidePixels longest side that the picture shows of it
   * @param tenant whose turn it takes
   * @throws {ClientError} UNPROCESSABLE naming `image`: what `prepareLogo` refuses, or what takes too long or too much memory;
   *   RATE_LIMITED when too many of this tenant wait, or when a logo of this address, which has no key, took too long or too much
   *   a while ago; UNAVAILABLE when too many logos wait
   */
  prepare(image: string, sidePixels: number, tenant: Tenant): Promise<PreparedLogo>;
  /** The processes that live. */
  pids(): number[];
  close(): void;
}

/** Sides in which logos are kept, in pixels; a code of 4096 has none that is larger than the last. */
const sides = [256, 512, 1024, 2048] as const;

const cacheBytesMax = 32 * 2 ** 20;
/** A machine in haste may refuse a logo that it can draw: not for long. */
const refusalMs = 60_000;
const refusalsMax = 1_000;

/** Whoever has no key, and sent a logo for which a process had to be killed, sends no other for so long. */
const bannedMs = 300_000;
const bannedMax = 10_000;

/** Of one process: a picture of 50 megapixels takes 200 MB, twice while it is turned. */
const memoryBytesMax = 1024 * 2 ** 20;

const tooMuch = (why: string, cause: string) =>
  new ClientError('UNPROCESSABLE', `image ${why}: give a simpler or a smaller one`, { cause });

const refusalOf = (outcome: Outcome<LogoAnswer>, logoMsMax: number): ClientError => {
  if (outcome.kind === 'late') return tooMuch('takes too long to draw', `more than ${logoMsMax} ms`);
  if (outcome.kind === 'ended') return tooMuch('takes too much to draw', outcome.why);
  const { answer } = outcome;
  if (answer.ok) throw new Error('a logo that was prepared is no refusal');
  return new ClientError(answer.code, answer.message);
};

/** Of addresses whose logos cost too much; of more than can be remembered, the earliest are forgotten. */
const createBans = () => {
  const bans = new LRUCache<string, true>({ max: bannedMax, ttl: bannedMs });
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
    file: new URL('./process.ts', import.meta.url),
    processesMax,
    taskMsMax: logoMsMax,
    memoryBytesMax,
    waitingMax: 64,
    waitingPerTenantMax: 32,
    waitMsMax: 10_000,
  });
  const logos = new LRUCache<string, PreparedLogo>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ href, drawing }) => href.length + (drawing?.join('').length ?? 0) + 500,
  });
  const refusals = new LRUCache<string, ClientError>({ max: refusalsMax, ttl: refusalMs });
  /** Whoever asks for a logo that is being prepared gets that one. */
  const preparing = new Map<string, Promise<PreparedLogo>>();
  const bans = createBans();

  const prepareNew = async (key: string, task: LogoTask, tenant: Tenant): Promise<PreparedLogo> => {
    const outcome = await pool.run(task, tenant);
    if (outcome.kind === 'answered' && outcome.answer.ok) {
      logos.set(key, outcome.answer.logo);
      return outcome.answer.logo;
    }
    if (outcome.kind !== 'answered') bans.add(tenant);
    const refusal = refusalOf(outcome, logoMsMax);
    refusals.set(key, refusal);
    throw refusal;
  };

  return {
    async prepare(image, sidePixels, tenant) {
      const sideMax = sides.find((side) => side >= sidePixels) ?? sides.at(-1)!;
      const key = `${sideMax} ${createHash('sha256').update(image).digest('base64url')}`;
      const known = logos.get(key);
      if (known) return known;
      const refusal = refusals.get(key);
      if (refusal) throw refusal;
      bans.check(tenant);
      // Who has a key does not wait behind the share of those who have none.
      const turn = `${isKeyless(tenant) ? 'keyless' : 'keyed'} ${key}`;
      const begun = preparing.get(turn);
      if (begun) return begun;
      const prepared = prepareNew(key, { image, sideMax }, tenant).finally(() => preparing.delete(turn));
      preparing.set(turn, prepared);
      return prepared;
    },
    pids: pool.pids,
    close: pool.close,
  };
};
