/**
 * Compares this process's keys of signatures with those of the control plane, which signs. With another key of a generation every
 * genuine code of that generation would be called a forgery: so such a key is not checked with, as if it were not there.
 *
 * It runs in the background. While the control plane has not answered, the own keys are trusted; a generation that only one of both
 * has is no fault, since redirectors are told of a new key first.
 */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import type { Logger } from '#shared/logger.ts';
import type { KeyFingerprint } from '#shared/serial-signatures.ts';

/** @returns those of the control plane. Throws when it cannot say */
export type FingerprintSource = () => Promise<KeyFingerprint[]>;

const fingerprints = z.array(z.object({ generation: z.number(), fingerprint: z.string() }));

/** @param timeoutMs of one question */
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
      throw new Error(`the control plane answered ${statusCode} to a question for its serial keys`);
    }
    return fingerprints.parse(await body.json());
  };

export interface KeyCheck {
  /** Whether the key of a generation is not known to differ from the control plane's. */
  isTrusted(generation: number): boolean;
  /** Asks now, and from then on by the clock. */
  start(): void;
  close(): Promise<void>;
}

/** @param own of this process's keys */
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
        `the key of generation ${generation} differs from the control plane's: codes that are signed with it have no verdict here until SERIAL_KEYS, or SECRET_KEY where it is not set, is the same for both`,
      );
    }
  };

  const ask = (): void => {
    asking ??= source()
      .then(compare)
      .catch((error) => logger.debug({ err: error }, 'the keys of signatures cannot be compared'))
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
