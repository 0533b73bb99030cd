/**
 * One attempt: a POST to a webhook's URL, and its outcome. Only allowed addresses are connected to. They are checked
 * on connecting, so kept connections have been checked too. No redirect is followed.
 */
import dns from 'node:dns';
import { Agent, request } from 'undici';
import type { Closeable } from '#shared/lifecycle.ts';
import { createResolve, type Resolve } from '../../../platform/outgoing/resolve.ts';
import { createLookup, isForbiddenTarget, isPublicAddress } from '../../../platform/outgoing/safe-fetch.ts';
import { commonHeaders } from './common-headers.ts';
import { failureText } from './failure-text.ts';
import { retryAfterSeconds } from './schedule.ts';

/** For the whole attempt: name lookup, connection, request and answer. */
const timeoutMs = 15_000;
/** The rest of an answer is not read. */
const responseBytesMax = 65_536;
/** The part of the answer that is kept. */
const excerptLengthMax = 1_000;
/** Per origin. No request waits for a connection: see slots.ts. */
const connectionsPerOriginMax = 64;

const keepAliveMs = 10_000;
/** After this, a new connection is opened, so that a DNS change takes effect. */
const connectionTtlMs = 300_000;

/** The error of an aborted attempt: the receiver may have seen it. */
export const brokenOff = 'broken off: the control plane was stopped; the delivery is sent again';

export interface Attempted {
  /** The answer's status; null without one. */
  readonly status: number | null;
  readonly durationMs: number;
  /** In plain words; null if the status says everything. */
  readonly error: string | null;
  /** The beginning of the answer's body; null without an answer. */
  readonly response: string | null;
  /** The wait that the receiver asks for, in seconds; 0 if none. */
  readonly retryAfterSeconds: number;
}

export interface Sender extends Closeable {
  /** Never rejects: failures are in the result. @param signal aborts the attempt: {@link brokenOff} */
  send(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<Attempted>;
}

export interface SenderOptions {
  /** Whether private addresses are allowed. */
  allowPrivate?: boolean;
  /** Default: {@link isPublicAddress}, or every address if private ones are allowed. */
  isAllowed?: (address: string) => boolean;
  /** Default: name servers only; also files if private addresses are allowed. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/** The beginning of a body, as text that can be stored and shown everywhere. */
const excerptOf = (bytes: Buffer): string =>
  bytes.toString('utf8').replaceAll('\0', '\uFFFD').slice(0, excerptLengthMax).toWellFormed();

/** At most {@link responseBytesMax} bytes. */
const readStart = async (body: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= responseBytesMax) break;
  }
  return Buffer.concat(chunks);
};

const answerText = (status: number): string | null =>
  status >= 300 && status < 400 ? 'redirects are not followed' : null;

export const createSender = (options: SenderOptions = {}): Sender => {
  const { allowPrivate = false, timeoutMs: limitMs = timeoutMs } = options;
  const { isAllowed = allowPrivate ? () => true : isPublicAddress } = options;
  const { resolve = allowPrivate ? dns.lookup : createResolve() } = options;
  const agent = new Agent({
    connect: { lookup: createLookup(isAllowed, resolve), timeout: limitMs },
    connections: connectionsPerOriginMax,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    clientTtl: connectionTtlMs,
    maxHeaderSize: 16_384,
    // The attempt has its own limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const exchange = async (url: URL, headers: Record<string, string>, text: string, signal: AbortSignal) => {
    const answer = await request(url, { method: 'POST', dispatcher: agent, signal, body: text, headers });
    const { statusCode: status, body } = answer;
    try {
      const response = excerptOf(await readStart(body));
      const retryAfter = retryAfterSeconds(answer.headers['retry-after'], Date.now());
      return { status, response, error: answerText(status), retryAfterSeconds: retryAfter };
    } finally {
      // The rest of the body is useless, and neither its end nor its interruption matters.
      body.on('error', () => {}).destroy();
    }
  };

  const refused = (text: string) => ({ status: null, response: null, error: text, retryAfterSeconds: 0 });

  const attempt = async (
    text: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ) => {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol)) return refused('the URL is not an http or https URL');
    if (isForbiddenTarget(url, isAllowed)) return refused('the URL does not lead to a public address');
    return exchange(url, headers, body, signal);
  };

  return {
    async send(url, headers, body, signal) {
      const startedMs = performance.now();
      const ending = new AbortController();
      const end = () => ending.abort();
      const timer = setTimeout(end, limitMs);
      signal?.addEventListener('abort', end, { once: true });
      const all = { ...commonHeaders, ...headers };
      const textOf = (error: unknown): string => {
        if (signal?.aborted) return brokenOff;
        return ending.signal.aborted
          ? `no complete answer within ${limitMs / 1000} seconds`
          : failureText(error);
      };
      const done = await attempt(url, all, body, ending.signal).catch((error: unknown) =>
        refused(textOf(error)),
      );
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      return { ...done, durationMs: Math.round(performance.now() - startedMs) };
    },
    close: () => agent.destroy(),
  };
};
