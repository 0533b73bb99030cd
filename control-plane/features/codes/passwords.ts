/**
 * Passwords of codes, as argon2id. A hash takes 19 MB and some tens of milliseconds of a core, off the event loop: so
 * few run at once and a bounded number waits. Checking has a queue of its own, so that a flood of tries at codes leaves
 * integrators their creates.
 */
import { hash, verify } from '@node-rs/argon2';
import { createGate } from '../../rendering/gate.ts';

/** OWASP's second recommendation for argon2id, in kibibytes and passes; it is also the library's default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const busyMessage = 'Too many passwords are being checked; try again shortly';

export interface PasswordOptions {
  /** Of each kind, hashes that are computed at once. */
  runningMax?: number;
  waitingMax?: number;
  waitMsMax?: number;
}

export interface Passwords {
  /** @throws {ClientError} UNAVAILABLE when too many are under way */
  hash(password: string): Promise<string>;
  /** @throws {ClientError} UNAVAILABLE when too many are under way */
  verify(passwordHash: string, password: string): Promise<boolean>;
}

/** Keyboards differ in how they write an ü: in Unicode's composed form it is the same for all. */
const composed = (password: string): string => password.normalize('NFC');

export const createPasswords = ({
  runningMax = 2,
  waitingMax = 64,
  waitMsMax = 3_000,
}: PasswordOptions = {}): Passwords => {
  const hashing = createGate({ runningMax, waitingMax, waitMsMax, busyMessage });
  const verifying = createGate({ runningMax, waitingMax, waitMsMax, busyMessage });
  return {
    hash: (password) => hashing.pass(() => hash(composed(password), cost)),
    verify: (passwordHash, password) => verifying.pass(() => verify(passwordHash, composed(password))),
  };
};
