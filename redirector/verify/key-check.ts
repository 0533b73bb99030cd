/**
 * Compares this process's signature keys with the control plane's, which signs. With a different key, every genuine
 * code of that generation would be called a forgery, so a key that differs is treated as missing.
 *
 * Runs in the background. Until the control plane answers, this process trusts its own keys. A generation that only one
 * of the two has is not a fault: redirectors get a new key first.
 */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import type { Logger } from '#shared/logger.ts';
import type { KeyFingerprint } from '#shared/serial-signatures.ts';

/** @returns the control plane's fingerprints. Throws if it cannot say */
export type FingerprintSource = () => Promise<KeyFingerprint[]>;

const fingerprints = z.array(z.object({ generation: z.number(), fingerprint: z.string() }));

/** @param timeoutMs per request */
export const createFingerprintSource =
  (internalUrl: string, token: string, timeoutMs: number, dispatcher: Dispatcher): FingerprintSource =>
  async () => {
    const { statusCode, body } = await request(`${internalUrl}/internal/serialized/keys`, {
      dispatcher,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the control plane answered ${statusCode} to a request for its serial keys`);
    }
    return fingerprints.parse(await body.json());
  };

export interface KeyCheck {
  /** Whether the key of a generation is not known to differ from the control plane's. */
  isTrusted(generation: number): boolean;
  /** Asks now, and then at an interval. */
  start(): void;
  close(): Promise<void>;
}

/** @param own fingerprints of this process's keys */
export const createKeyCheck = (
  own: () => readonly KeyFingerprint[],
  source: FingerprintSource,
  everyMs: number,
  logger: Logger,
): KeyCheck => {
  let differing = new Set<number>();
  let asking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const compare = (signing: readonly KeyFingerprint[]): void => {
    const theirs = new Map(signing.map(({ generation, fingerprint }) => [generation, fingerprint]));
    const known = differing;
    differing = new Set();
    for (const { generation, fingerprint } of own()) {
      if ((theirs.get(generation) ?? fingerprint) === fingerprint) continue;
      differing.add(generation);
      if (known.has(generation)) continue;
      logger.error(
        { generation },
        `the key of generation ${generation} differs from the control plane's: codes signed with it have no verdict here until both have the same SERIAL_KEYS or, if that is unset, SECRET_KEY`,
      );
    }
  };

  const ask = (): void => {
    asking ??= source()
      .then(compare)
      .catch((error) => logger.debug({ err: error }, 'could not compare signature keys'))
      .finally(() => {
        asking = undefined;
      });
  };

  return {
    isTrusted: (generation) => !differing.has(generation),
    start() {
      ask();
      timer = setInterval(ask, everyMs);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await asking;
    },
  };
};
