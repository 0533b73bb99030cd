/** Makes a row of each request that had a valid key. */
import { randomBytes } from 'node:crypto';
import { createEntryCache } from '#shared/entry-cache.ts';
import { coarseNetwork } from '#shared/networks.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { ClientAddressOf } from '../../api/access/client-address.ts';
import type { Context, Middleware } from '../../api/http/context.ts';
import type { LogRow, Recorder } from './recorder.ts';
import { redactedBody, redactedPath } from './redact.ts';

/** Addresses and routes that are held with what is made of them. */
const heldMax = 1_000;
const messageLengthMax = 1_000;

const held = (make: (text: string) => string): ((text: string) => string) => {
  const made = createEntryCache<string, { text: string }>(heldMax);
  return (given) => {
    const known = made.get(given);
    if (known) return known.text;
    const text = make(given);
    made.set(given, { text });
    return text;
  };
};

/** In the notation of the documentation: `/api/qr/codes/{id}` */
const templateOf = held((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
const networkOf = held(coarseNetwork);

const idempotencyHeaders = ['waymark-idempotency-key', 'idempotency-key'];

const none: ReadonlySet<string> = new Set();

/** Orders the requests of a millisecond in this process, and tells them from those of others. */
const createSequence = (): (() => string) => {
  const own = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${(count++).toString(36).padStart(8, '0')}${own}`;
};

/** @returns sees every answered request; it costs some microseconds, and a failure some more for its body */
export const createNotes = (recorder: Pick<Recorder, 'add'>, clientAddress: ClientAddressOf): Middleware => {
  const nextSeq = createSequence();
  const rowOf = (
    ctx: Context,
    { keyId, workspaceId }: Principal,
    beganMs: number,
    durationMs: number,
  ): LogRow => {
    const { route = '', names, refusal, body, requestId } = ctx.state;
    const isFailed = ctx.status >= 400;
    return {
      workspace_id: workspaceId,
      at: beganMs,
      seq: nextSeq(),
      request_id: requestId,
      method: ctx.method,
      route: templateOf(route),
      path: redactedPath(ctx.path, ctx.querystring, names?.parameters ?? none),
      status: ctx.status,
      error_code: refusal?.code ?? '',
      error_param: refusal?.param ?? '',
      error_message: refusal?.error.slice(0, messageLengthMax) ?? '',
      duration_ms: Math.round(durationMs),
      key_id: keyId,
      network: networkOf(clientAddress(ctx.req)),
      idempotency_key: idempotencyHeaders.some((name) => ctx.req.headers[name] !== undefined),
      body: isFailed ? redactedBody(body) : '',
    };
  };
  return async (ctx, next) => {
    const beganMs = Date.now();
    const startedMs = performance.now();
    await next();
    const { principal } = ctx.state;
    if (principal) recorder.add(rowOf(ctx, principal, beganMs, performance.now() - startedMs));
  };
};
