/**
 * A web-risk service that speaks `hashes:search` of Safe Browsing v5, JSON: it is sent the first four bytes of hashes,
 * never a URL, and answers with the whole hashes that begin with them.
 */
import { z } from 'zod';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import { inSteps } from '../../api/http/steps.ts';
import { createFairGate } from '../../platform/fair-queue/fair-gate.ts';
import type { SafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { allHashes, type Hashes, quickHashes } from './asked-hashes.ts';
import type { FoundUrl } from './urls.ts';

export const webRiskOutcomes = ['answered', 'failed', 'skipped'] as const;

export interface WebRisk {
  /**
   * The threats of URLs, for a write that waits. Without an answer in time there are no threats.
   * @param workspaceId of the write: workspaces take turns
   */
  quickly(urls: readonly FoundUrl[], workspaceId: string): Promise<Map<FoundUrl, string>>;
  /** The same for the nightly screening. @throws {Error} without an answer */
  patiently(urls: readonly FoundUrl[]): Promise<Map<FoundUrl, string>>;
}

export interface WebRiskOptions {
  /** With its key, if it takes one in the query. */
  url: string;
  fetch: SafeFetch;
  onOutcome(outcome: (typeof webRiskOutcomes)[number]): void;
  now?(): number;
}

/** The protocol allows 1,000; a request line has room for fewer. */
const prefixesMax = 200;
/** Requests of a write at once. */
const requestsAtOnce = 4;
/** URLs of which all prefixes are remembered while they are compared. */
const urlsAtOnce = 200;
const bytesMax = 2 ** 20;
/** Of all requests of a write. */
const quickMs = 1_500;
/** Of each request of the nightly screening. */
const patientMs = 10_000;
/** After the service failed no write asks for this long. */
const pauseMs = 30_000;
/** Writes that ask at once. */
const quickAtOnce = 16;
/** Further ones wait longer than any of those takes: a workspace gets its turn, however many writes another one sends. */
const turns = { runningMax: quickAtOnce, waitingMax: 128, waitingPerTenantMax: 16, waitMsMax: 2_000 };
const rememberedMax = 100_000;
const rememberedMsMax = 3_600_000;
const rememberedMsDefault = 300_000;

/** Threats that this release knows; the protocol asks clients to disregard others. */
const threatTypes = new Set([
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
]);

const answerSchema = z.object({
  fullHashes: z
    .array(
      z.object({
        fullHash: z.string().max(64),
        fullHashDetails: z
          .array(z.object({ threatType: z.string(), attributes: z.array(z.string()).optional() }))
          .optional(),
      }),
    )
    .optional(),
  cacheDuration: z.string().optional(),
});

type Answer = z.infer<typeof answerSchema>;

/** A detail with an attribute, such as CANARY or FRAME_ONLY, is not for a link that people follow. */
const threatOf = ({ fullHashDetails = [] }: NonNullable<Answer['fullHashes']>[number]): string | undefined =>
  fullHashDetails.find(({ threatType, attributes = [] }) => threatTypes.has(threatType) && !attributes.length)
    ?.threatType;

/** Whole hashes, each with its threat. */
const threatsIn = (fullHashes: NonNullable<Answer['fullHashes']>): (readonly [string, string])[] =>
  fullHashes.flatMap((each) => {
    const threat = threatOf(each);
    return threat ? [[Buffer.from(each.fullHash, 'base64').toString('hex'), threat] as const] : [];
  });

const durationMs = (text: string | undefined): number => {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '')?.[1];
  return seconds === undefined ? rememberedMsDefault : Math.min(Number(seconds) * 1000, rememberedMsMax);
};

/** What is known of a prefix: the threats of the whole hashes that begin with it. */
interface Known {
  threats: ReadonlyMap<string, string>;
  untilMs: number;
}

const chunksOf = <Each>(all: readonly Each[], size: number): Each[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

const threatsOfHashes = (
  hashes: Hashes,
  known: { get(prefix: string): Known | undefined },
): [FoundUrl, string][] =>
  [...hashes].flatMap(([found, each]): [FoundUrl, string][] => {
    const threat = each.map((hash) => known.get(hash.slice(0, 8))?.threats.get(hash)).find(Boolean);
    return threat === undefined ? [] : [[found, threat]];
  });

export const createWebRisk = ({ url, fetch, onOutcome, now = Date.now }: WebRiskOptions): WebRisk => {
  const known = createEntryCache<string, Known>(rememberedMax);
  let pausedUntilMs = 0;
  const gate = createFairGate({ ...turns, onRefused: () => onOutcome('skipped') });

  const read = async (prefixes: readonly string[], timeoutMs: number): Promise<Answer> => {
    const asked = new URL(url);
    for (const prefix of prefixes)
      asked.searchParams.append('hashPrefixes', Buffer.from(prefix, 'hex').toString('base64'));
    const bytes = await fetch.get(asked.href, {
      field: 'WEB_RISK_URL',
      bytesMax,
      timeoutMs,
      redirectsMax: 0,
      accept: 'application/json',
    });
    return answerSchema.parse(JSON.parse(bytes.toString()));
  };

  const ask = async (prefixes: readonly string[], timeoutMs: number): Promise<void> => {
    const { fullHashes = [], cacheDuration } = await read(prefixes, timeoutMs);
    const untilMs = now() + durationMs(cacheDuration);
    const byPrefix = Map.groupBy(threatsIn(fullHashes), ([hash]) => hash.slice(0, 8));
    for (const prefix of prefixes)
      known.set(prefix, { threats: new Map(byPrefix.get(prefix) ?? []), untilMs });
  };

  /** The prefixes of which nothing is known. */
  const missingOf = (hashes: Iterable<string>): string[] => {
    const prefixes = new Set(Array.from(hashes, (hash) => hash.slice(0, 8)));
    return [...prefixes].filter((prefix) => (known.get(prefix)?.untilMs ?? 0) <= now());
  };

  /** As far as the time of one write goes: what asks for too much harms no other write. */
  const askInTime = async (missing: readonly string[]): Promise<void> => {
    const deadlineMs = performance.now() + quickMs;
    let isFirst = true;
    for (const chunks of chunksOf(chunksOf(missing, prefixesMax), requestsAtOnce)) {
      const leftMs = Math.ceil(deadlineMs - performance.now());
      if (leftMs <= 0 || now() < pausedUntilMs) return onOutcome('skipped');
      const answers = await Promise.allSettled(chunks.map((chunk) => ask(chunk, leftMs)));
      const isAnswered = answers.map(({ status }) => status === 'fulfilled');
      for (const each of isAnswered) onOutcome(each ? 'answered' : 'failed');
      if (!isAnswered.every(Boolean)) {
        // The nightly screening checks it again, and reports why the service fails.
        if (isFirst || performance.now() < deadlineMs) pausedUntilMs = now() + pauseMs;
        return;
      }
      isFirst = false;
    }
  };

  const askQuickly = async (missing: readonly string[], tenant: string): Promise<void> => {
    if (now() < pausedUntilMs) return onOutcome('skipped');
    try {
      await gate.pass({ tenant, cost: missing.length }, () => askInTime(missing));
    } catch (error) {
      // Too many wait: the lists alone decide.
      if (!(error instanceof ClientError)) throw error;
    }
  };

  const askPatiently = async (missing: readonly string[]): Promise<void> => {
    for (const chunk of chunksOf(missing, prefixesMax)) {
      try {
        await ask(chunk, patientMs);
      } catch (error) {
        onOutcome('failed');
        throw error;
      }
      onOutcome('answered');
    }
  };

  return {
    async quickly(urls, workspaceId) {
      const { hashes, inOrder, isWhole } = await inSteps(quickHashes(urls));
      if (!isWhole) onOutcome('skipped');
      const missing = missingOf(inOrder);
      if (missing.length > 0) await askQuickly(missing, workspaceId);
      return new Map(threatsOfHashes(hashes, known));
    },
    async patiently(urls) {
      const threats = new Map<FoundUrl, string>();
      for (const some of chunksOf(urls, urlsAtOnce)) {
        const hashes = await inSteps(allHashes(some));
        await askPatiently(missingOf([...hashes.values()].flat()));
        for (const [found, threat] of threatsOfHashes(hashes, known)) threats.set(found, threat);
      }
      return threats;
    },
  };
};
