/** Repeated requests with an idempotency key: the answer is kept, and repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '#shared/errors.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { type Claim, findAnswer, keepAnswer, type StoredAnswer } from './idempotent-answers.ts';
import type { Reply } from './reply.ts';
import { type IdempotencyHeader, idempotency } from './request.ts';

/** How often a waiting request checks for the answer to another one with its key. */
const waitStepMs = 50;

/** @throws {ClientError} UNAVAILABLE if the key has been lost: the transaction must not commit */
export const keepOrFail = async (tx: Transaction, claim: Claim, reply: Reply): Promise<void> => {
  if (!(await keepAnswer(tx, claim, toStored(reply)))) throw tookTooLong();
};

export const tookTooLong = (): ClientError =>
  new ClientError('UNAVAILABLE', 'The request took too long; nothing was created. Try again');

const jsonType = 'application/json; charset=utf-8';

const toStored = ({ status = 200, headers = {}, body: given, parts }: Reply): StoredAnswer => {
  const body = parts ? Buffer.concat(parts) : given;
  if (Buffer.isBuffer(body)) {
    if (headers['content-type'] !== jsonType) throw new Error('only JSON can be kept and repeated');
    return { status, headers, body: body.toString() };
  }
  return { status, headers, body: body === undefined ? null : JSON.stringify(body) };
};

const replay = ({ status, headers, body }: StoredAnswer): Reply => ({
  status,
  headers: {
    ...(body !== null && { 'content-type': jsonType }),
    ...headers,
    'idempotency-replayed': 'true',
  },
  ...(body !== null && { body: Buffer.from(body) }),
});

/** @returns undefined if the key has become free, or may have: then it must be claimed again */
export const repeatOrWait = async (
  db: Queryable,
  header: IdempotencyHeader,
  claim: Claim,
): Promise<Reply | undefined> => {
  const answer = await findAnswer(db, claim);
  if (!answer) return undefined;
  if (!answer.requestMac.equals(claim.requestMac)) {
    throw new ClientError(idempotency[header].reused, `${header} was used before, for a different request`);
  }
  if (answer.status !== null) return replay(answer);
  await sleep(waitStepMs);
  return undefined;
};
