/** The one place where an error becomes a response. */
import { ClientError, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Context, Middleware } from './context.ts';

/** Seconds after which a client may try again what a missing dependency has refused. */
const retryAfterSeconds = 2;

export interface ErrorEdgeOptions {
  logger: Logger;
  /** Whether an error says that a dependency is away: it is answered 503 in place of 500. */
  isUnavailable: (error: unknown) => boolean;
}

/**
 * A ClientError becomes its status and `{"error", "code"?, "details"?}`. A lost dependency becomes 503. Anything else
 * is a fault of ours: it is logged with the request id, and the client gets that id and no more.
 */
export const errorEdge =
  ({ logger, isUnavailable }: ErrorEdgeOptions): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientError) answer(ctx, error, logger);
      else if (isUnavailable(error)) answer(ctx, unavailable(error), logger);
      else answerInternal(ctx, error, logger);
    }
  };

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'The service is temporarily unavailable', { cause });

const answer = (ctx: Context, error: ClientError, logger: Logger): void => {
  const { code, message, details } = error;
  ctx.status = errorStatus[code];
  ctx.body = { error: message, code, ...(details && { details }) };
  if (ctx.status < 500) return;
  ctx.set('retry-after', String(retryAfterSeconds));
  logger.warn({ err: error, requestId: ctx.state.requestId }, 'request refused');
};

const answerInternal = (ctx: Context, error: unknown, logger: Logger): void => {
  const { requestId } = ctx.state;
  logger.error({ err: error, requestId, method: ctx.method, path: ctx.path }, 'request failed');
  ctx.status = errorStatus.INTERNAL;
  ctx.body = { error: 'Internal error', code: 'INTERNAL', requestId };
};
