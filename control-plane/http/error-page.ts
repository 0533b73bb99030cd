/** Refusals as pages, for operations that people open in a browser. */
import type { ErrorCode } from '#shared/errors.ts';
import type { Context } from './context.ts';

/** A refusal, and what is known of the request. */
export interface ShownRefusal {
  status: number;
  code: ErrorCode;
  /** For programmers; a page has words of its own for `code`. */
  message: string;
  retryAfterSeconds: number | undefined;
  requestId: string;
  /** Of the request, without its query. */
  path: string;
  /** A header of the request, or an empty string. */
  header(name: string): string;
}

/** The page of a refusal. It must not throw: what it throws is answered by Koa with a bare 500. */
export type ErrorPage = (refusal: ShownRefusal) => { html: string; contentSecurityPolicy: string };

/** The page for refusals at a path, with whatever method; undefined where they are JSON. */
export type ErrorPageOf = (path: string, method: string) => ErrorPage | undefined;

export const sendErrorPage = (ctx: Context, { html, contentSecurityPolicy }: ReturnType<ErrorPage>): void => {
  ctx.set('content-security-policy', contentSecurityPolicy);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
};
