/** Every error becomes a response here. */
import { Stream } from 'node:stream';
import { ClientError, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { ClientAddressOf } from '../access/client-address.ts';
import type { Context, Middleware, RefusalBody } from './context.ts';
import { type ErrorPage, type ErrorPageOf, sendErrorPage } from './error-page.ts';
import { helpFor, refusalBody } from './refusal-body.ts';

/** Retry-After, in seconds, if a dependency is missing. */
const unavailableRetryAfterSeconds = 2;

export interface ErrorEdgeOptions {
  logger: Logger;
  /** Whether an error means that a dependency is down: it is answered 503 instead of 500. */
  isUnavailable: (error: unknown) => boolean;
  clientAddress: ClientAddressOf;
  /** The page that browsers get at a path instead of JSON, if it has one. */
  errorPageOf?: ErrorPageOf;
  /** The URL of the page of /docs that explains the codes. */
  docsUrl: string;
}

/**
 * A ClientError becomes its status and the body of refusal-body.ts. A lost dependency becomes 503. Anything else is our
 * fault: it is logged with the request id, and the client gets only that id. Refusals for lack of something,
 * such as room in a queue, are logged now and then for each message; the metrics count all of them.
 */
export const errorEdge = ({
  logger,
  isUnavailable,
  clientAddress,
  errorPageOf,
  docsUrl,
}: ErrorEdgeOptions): Middleware => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400) completeReply(ctx, docsUrl);
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
      answer(ctx, error, docsUrl, errorPageOf?.(ctx.path, ctx.method));
      if (ctx.status < 500) return;
      if (error instanceof ClientError) warn(error.message, { err: error, ...request }, 'request refused');
      else logger.error({ err: error, ...request }, 'request failed');
    }
  };
};

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'The service is temporarily unavailable', { cause });

/** @param page what browsers get instead of JSON */
const answer = (ctx: Context, error: unknown, docsUrl: string, page: ErrorPage | undefined): void => {
  const { code, headers, retryAfterSeconds, body } = refusalOf(error, ctx, docsUrl);
  ctx.state.refusal = body;
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
  body: RefusalBody;
}

const noFields: ReadonlySet<string> = new Set();

const refusalOf = (error: unknown, { state }: Context, docsUrl: string): Refusal => {
  const refused = { requestId: state.requestId, docsUrl };
  if (!(error instanceof ClientError)) {
    const body = { error: 'Internal error', code: 'INTERNAL', ...helpFor('INTERNAL', refused) };
    return { code: 'INTERNAL', headers: undefined, retryAfterSeconds: undefined, body };
  }
  const { code, headers } = error;
  const otherwise = code === 'UNAVAILABLE' ? unavailableRetryAfterSeconds : undefined;
  return {
    code,
    headers,
    retryAfterSeconds: error.retryAfterSeconds ?? otherwise,
    body: refusalBody(error, state.names?.all ?? noFields, refused),
  };
};

/** An operation that answers a refusal by itself, such as a form with its faults, leaves its end to us. */
const completeReply = (ctx: Context, docsUrl: string): void => {
  const { body, state } = ctx;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || body instanceof Stream) return;
  if (!('error' in body && 'code' in body) || 'requestId' in body) return;
  const { requestId } = state;
  const { error, code } = body as RefusalBody;
  ctx.body = { ...body, ...helpFor(code, { requestId, docsUrl }) };
  state.refusal = { error, code };
};
