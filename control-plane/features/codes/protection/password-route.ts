/** Redirectors ask this plane to check the password that a visitor has entered. */
import Router from '@koa/router';
import { z } from 'zod';
import { boundedText } from '#schemas/api/text.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { limitedAddress, parseAddress } from '#shared/networks.ts';
import type { IpLimiter } from '../../../api/access/ip-limits.ts';
import { bodyLimits, readJsonBody } from '../../../api/http/body.ts';
import type { State } from '../../../api/http/context.ts';
import { internalOnly } from '../../../api/http/internal-only.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Tenant } from '../../../platform/fair-queue/fair-gate.ts';
import { findPasswordHash } from '../store/find.ts';
import type { PasswordAttempts } from './password-attempts.ts';
import type { Passwords } from './passwords.ts';

/** Any text is an attempt: a text that cannot be the password is simply wrong. */
const passwordBody = z.strictObject({ password: boundedText(4096), address: boundedText(100) });

/** After this many attempts in a minute, a sender waits behind senders that have made fewer. */
const patientAttempts = 5;

type Verdict = { verdict: 'right' | 'wrong' } | { verdict: 'too_many_attempts'; retryAfterS: number };

interface Sender {
  /** See `limitedAddress`. */
  network: string;
  /** In this minute, including this one. */
  attempts: number;
}

const tenantOf = ({ network, attempts }: Sender): Tenant =>
  attempts > patientAttempts ? { address: network } : network;

const tooMany = (retryAfterSeconds: number): ClientError =>
  new ClientError('RATE_LIMITED', 'Too many passwords; try again later', { retryAfterSeconds });

export interface PasswordRouteOptions {
  pool: Pool;
  passwords: Passwords;
  attempts: PasswordAttempts;
  ipLimiter: IpLimiter;
  internalToken: string;
}

/**
 * POST /internal/codes/{id}/unlock with `{password, address}` answers
 *
 * - 204 for the right password and 401 for a wrong one;
 * - 429 with Retry-After after ten wrong ones a minute from this address, after sixty of any kind at all codes
 *   together, or if too many of this address wait;
 * - 404 if there is no password, and 503 if too many are being checked.
 *
 * Many addresses that try again and again do not keep out a first attempt: after five attempts in a minute a sender
 * waits behind the others.
 *
 * A right password gives its attempt at the code back. It still counts as one of the sixty: it costs as
 * much as a wrong one.
 */
export const createPasswordRouter = ({
  pool,
  passwords,
  attempts,
  ipLimiter,
  internalToken,
}: PasswordRouteOptions): Router<State> => {
  const judge = async (id: string, hash: string, password: string, sender: Sender): Promise<Verdict> => {
    const { network } = sender;
    const retryAfterS = await attempts.take(id, network);
    if (retryAfterS !== undefined) return { verdict: 'too_many_attempts', retryAfterS };
    try {
      if (!(await passwords.verify(hash, password, tenantOf(sender)))) return { verdict: 'wrong' };
    } catch (error) {
      await attempts.giveBack(id, network);
      throw error;
    }
    await attempts.giveBack(id, network);
    return { verdict: 'right' };
  };

  const router = new Router<State>();
  // Not 401: a redirector would take that for a wrong password, and say so to its visitor.
  const guard = internalOnly(internalToken, 'FORBIDDEN');
  router.post('/internal/codes/:id/unlock', guard, async (ctx) => {
    ctx.state.route = '/internal/codes/:id/unlock';
    const { password, address } = validateBody(passwordBody, await readJsonBody(ctx.req, bodyLimits.small));
    // All texts that are not addresses count as one sender.
    const network = limitedAddress(parseAddress(address)?.toString() ?? 'unknown');
    const { allowed, limit, remaining, resetSeconds } = await ipLimiter.take('unlock', network);
    if (!allowed) throw tooMany(resetSeconds);
    const { id = '' } = ctx.params;
    const hash = isCodeIdShaped(id) ? await findPasswordHash(pool, id) : undefined;
    if (hash === undefined || hash === null)
      throw new ClientError('NOT_FOUND', 'There is no password to give');
    const answer = await judge(id, hash, password, { network, attempts: limit - remaining });
    if (answer.verdict === 'wrong') throw new ClientError('UNAUTHENTICATED', 'The password is wrong');
    if (answer.verdict === 'too_many_attempts') throw tooMany(answer.retryAfterS);
    ctx.status = 204;
  });
  return router;
};
