/** Refusals as pages, for operations that people open in a browser. */
import type { ErrorCode } from '#shared/errors.ts';
import type { Context } from './context.ts';

/** A refusal, and the facts of its request. */
export interface ShownRefusal {
  status: number;
  code: ErrorCode;
  /** For programmers; a page has its own text for each `code`. */
  message: string;
  retryAfterSeconds: number | undefined;
  requestId: string;
  /** The path of the request, without its query. */
  path: string;
  /** A header of the request, or an empty string. */
  header(name: string): string;
}

/** Renders a refusal. It must not throw: Koa would answer with a bare 500. */
export type ErrorPage = (refusal: ShownRefusal) => { html: string; contentSecurityPolicy: string };

/** The page for refusals at a path, for any method; undefined if they are JSON. */
export type ErrorPageOf = (path: string, method: string) => ErrorPage | undefined;

export const sendErrorPage = (ctx: Context, { html, contentSecurityPolicy }: ReturnType<ErrorPage>): void => {
  ctx.set('content-security-policy', contentSecurityPolicy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
};
