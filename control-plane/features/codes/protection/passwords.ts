/**
 * Passwords of codes, as argon2id. A hash takes 19 MB and some tens of milliseconds of a core, off the event loop. So
 * few run at once, and a limited number waits in a fair order. Checking has its own queue, so that a flood of attempts
 * does not block the creates of integrators.
 */
import { hash, verify } from '@node-rs/argon2';
import { createFairGate, type FairGateOptions, type Tenant } from '../../../platform/fair-queue/fair-gate.ts';

/** OWASP's second recommendation for argon2id, in kibibytes and passes; it is also the library's default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const messages = {
  tenantFull: 'Too many of your passwords are waiting; send fewer at once',
  busy: 'Too many passwords are being checked; try again shortly',
};

/** For each kind of work, hashing and checking. */
export interface PasswordOptions extends Partial<Omit<FairGateOptions, 'messages'>> {
  onStarted?: ((what: PasswordWork) => void) | undefined;
}

export const passwordWork = ['hashed', 'checked'] as const;
export type PasswordWork = (typeof passwordWork)[number];

export interface Passwords {
  /** @throws {ClientError} RATE_LIMITED if too many of this workspace wait, UNAVAILABLE if too many of all do */
  hash(password: string, workspaceId: string): Promise<string>;
  /**
   * @param sender the network that tries. `{ address }` for one that has tried often: such senders wait behind all
   * others, and have a quarter of the places while others wait
   * @throws {ClientError} RATE_LIMITED if too many of this sender wait, UNAVAILABLE if too many of all do
   */
  verify(passwordHash: string, password: string, sender: Tenant): Promise<boolean>;
}

/** Keyboards differ in how they encode an ü; Unicode's composed form is the same for all. */
const composed = (password: string): string => password.normalize('NFC');

export const createPasswords = ({
  runningMax = 2,
  waitingMax = 64,
  waitingPerTenantMax = 32,
  waitMsMax = 3_000,
  onRefused,
  onStarted,
}: PasswordOptions = {}): Passwords => {
  const limits = { runningMax, waitingMax, waitingPerTenantMax, waitMsMax, onRefused, messages };
  const hashing = createFairGate(limits);
  const verifying = createFairGate(limits);
  return {
    hash: (password, workspaceId) =>
      hashing.pass({ tenant: workspaceId, cost: 1 }, () => {
        onStarted?.('hashed');
        return hash(composed(password), cost);
      }),
    verify: (passwordHash, password, sender) =>
      verifying.pass({ tenant: sender, cost: 1 }, () => {
        onStarted?.('checked');
        return verify(passwordHash, composed(password));
      }),
  };
};
