/** The one place where an error becomes a response. */
import { ClientError, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { ClientAddressOf } from '../access/client-address.ts';
import type { Context, Middleware } from './context.ts';

/** Seconds after which a client may try again what a missing dependency has refused. */
const retryAfterSeconds = 2;

export interface ErrorEdgeOptions {
  logger: Logger;
  /** Whether an error says that a dependency is away: it is answered 503 in place of 500. */
  isUnavailable: (error: unknown) => boolean;
  clientAddress: ClientAddressOf;
}

/**
 * A ClientError becomes its status and `{"error", "code"?, "details"?}`. A lost dependency becomes 503. Anything else
 * is a fault of ours: it is logged with the request id, and the client gets that id and no more. What is refused for want of
 * something, such as room in a queue, is logged once in a while for each message: the metrics count all of it.
 */
export const errorEdge = ({ logger, isUnavailable, clientAddress }: ErrorEdgeOptions): Middleware => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = isUnavailable(thrown) ? unavailable(thrown) : thrown;
      const { requestId } = ctx.state;
      const request = { requestId, method: ctx.method, path: ctx.path, client: clientAddress(ctx.req) };
      if (ctx.headerSent) {
        // A stream that failed half-way: its connection has been reset (streams.ts).
        logger.error({ err: thrown, ...request }, 'answer broken off');
        return;
      }
      answer(ctx, error);
      if (ctx.status < 500) return;
      if (error instanceof ClientError) warn(error.message, { err: error, ...request }, 'request refused');
      else logger.error({ err: error, ...request }, 'request failed');
    }
  };
};

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'The service is temporarily unavailable', { cause });

const answer = (ctx: Context, error: unknown): void => {
  if (!(error instanceof ClientError)) {
    ctx.status = errorStatus.INTERNAL;
    ctx.body = { error: 'Internal error', code: 'INTERNAL', requestId: ctx.state.requestId };
    return;
  }
  const { code, message, details, fields, headers } = error;
  ctx.status = errorStatus[code];
  if (headers) ctx.set({ ...headers });
  const retryAfter = error.retryAfterSeconds ?? (code === 'UNAVAILABLE' ? retryAfterSeconds : undefined);
  if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
  if (code === 'PLAN_LIMIT_REACHED') {
    // The one code that clients look for in a header.
    ctx.set('x-service-error-code', code);
    ctx.body = { error: message, ...fields };
    return;
  }
  ctx.body = { error: message, code, ...(details && { details }), ...fields };
};
