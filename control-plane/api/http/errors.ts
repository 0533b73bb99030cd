/** Every error becomes a response here. */
import { ClientError, type ErrorCode, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ClientAddressOf } from '../access/client-address.ts';
import type { Context, Middleware } from './context.ts';
import { type ErrorPage, type ErrorPageOf, sendErrorPage } from './error-page.ts';

/** Retry-After, in seconds, if a dependency is missing. */
const unavailableRetryAfterSeconds = 2;

export interface ErrorEdgeOptions {
  logger: Logger;
  /** Whether an error means that a dependency is down: it is answered 503 instead of 500. */
  isUnavailable: (error: unknown) => boolean;
  clientAddress: ClientAddressOf;
  /** The page that browsers get at a path instead of JSON, if it has one. */
  errorPageOf?: ErrorPageOf;
}

/**
 * A ClientError becomes its status and `{"error", "code"?, "details"?}`. A lost dependency becomes 503. Anything else
 * is our fault: it is logged with the request id, and the client gets only that id. Refusals for lack of something,
 * such as room in a queue, are logged now and then for each message; the metrics count all of them.
 */
export const errorEdge = ({
  logger,
  isUnavailable,
  clientAddress,
  errorPageOf,
}: ErrorEdgeOptions): Middleware => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = isUnavailable(thrown) ? unavailable(thrown) : thrown;
      const { requestId } = ctx.state;
      const request = { requestId, method: ctx.method, path: ctx.path, client: clientAddress(ctx.req) };
      if (ctx.headerSent) {
        // The body broke off after the request was refused: the client has gone.
        if (thrown instanceof ClientError && thrown.code === 'INVALID_REQUEST') return;
        // A stream failed half-way; streams.ts has reset its connection.
        logger.error({ err: thrown, ...request }, 'response interrupted');
        return;
      }
      answer(ctx, error, errorPageOf?.(ctx.path, ctx.method));
      if (ctx.status < 500) return;
      if (error instanceof ClientError) warn(error.message, { err: error, ...request }, 'request refused');
      else logger.error({ err: error, ...request }, 'request failed');
    }
  };
};

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'The service is temporarily unavailable', { cause });

/** @param page what browsers get instead of JSON */
const answer = (ctx: Context, error: unknown, page: ErrorPage | undefined): void => {
  const { code, headers, retryAfterSeconds, body } = refusalOf(error, ctx.state.requestId);
  ctx.status = errorStatus[code];
  if (headers) ctx.set({ ...headers });
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', String(retryAfterSeconds));
  // The only code that clients look for in a header.
  if (code === 'PLAN_LIMIT_REACHED') ctx.set('x-service-error-code', code);
  if (page) {
    ctx.vary('Accept');
    if (wantsPage(ctx.get('accept'))) {
      const { error: message } = body;
      return sendErrorPage(ctx, page({ code, message, retryAfterSeconds, ...requestOf(ctx) }));
    }
  }
  ctx.body = body;
};

const requestOf = (ctx: Context) => ({
  status: ctx.status,
  requestId: ctx.state.requestId,
  path: ctx.path,
  header: (name: string) => ctx.get(name),
});

interface Refusal extends Pick<ClientError, 'code' | 'headers' | 'retryAfterSeconds'> {
  body: { error: string };
}

/** As the API promises, a used-up quota is named in the header and not in the body, which has its own code. */
const codeOfBody = (code: ErrorCode): string => (code === 'PLAN_LIMIT_REACHED' ? 'QUOTA_EXCEEDED' : code);

const refusalOf = (error: unknown, requestId: string): Refusal => {
  if (!(error instanceof ClientError)) {
    const body = { error: 'Internal error', code: 'INTERNAL', requestId };
    return { code: 'INTERNAL', headers: undefined, retryAfterSeconds: undefined, body };
  }
  const { code, message, details, fields, headers } = error;
  const body = { error: message, code: codeOfBody(code), ...(details && { details }), ...fields };
  const otherwise = code === 'UNAVAILABLE' ? unavailableRetryAfterSeconds : undefined;
  return { code, headers, retryAfterSeconds: error.retryAfterSeconds ?? otherwise, body };
};
