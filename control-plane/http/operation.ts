/**
 * One operation of the API: its method, its path, what it accepts, and what it does. A feature declares its operations
 * as data; everything that all of them share (key, query, body, their errors) happens here, in one order.
 */
import Router from '@koa/router';
import type { z } from 'zod';
import type { Authenticate, Principal } from './auth.ts';
import { readJsonBody } from './body.ts';
import type { Context, State } from './context.ts';
import { validateBody, validateQuery } from './validation.ts';

export interface OperationRequest<Query, Body> {
  principal: Principal;
  /** Parts of the path, decoded; nothing else is known of them. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  /** A request header, or an empty string. */
  header(name: string): string;
}

export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a Buffer as it is. */
  body?: object | Buffer;
}

export interface Operation<Query = unknown, Body = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in `/api/qr/codes/:id`. */
  path: string;
  /** Without one, the query is not looked at. */
  query?: z.ZodType<Query>;
  /** Without one, no body is read. */
  body?: z.ZodType<Body>;
  handle(request: OperationRequest<Query, Body>): Promise<Reply>;
}

/** Keeps the types of one operation's query and body together while it is declared. */
export const operation = <Query = undefined, Body = undefined>(declared: Operation<Query, Body>): Operation =>
  declared;

/** A router that serves the operations to whoever has a key. */
export const routeOperations = (
  operations: readonly Operation[],
  authenticate: Authenticate,
): Router<State> => {
  const router = new Router<State>({ sensitive: true });
  for (const each of operations) {
    router[each.method](each.path, (ctx) => perform(each, ctx, ctx.params, authenticate));
  }
  return router;
};

const perform = async (
  { path, query, body, handle }: Operation,
  ctx: Context,
  params: Record<string, string>,
  authenticate: Authenticate,
): Promise<void> => {
  ctx.state.route = path;
  const reply = await handle({
    principal: await authenticate(ctx),
    params,
    query: query && validateQuery(query, ctx.query),
    body: body && validateBody(body, await readJsonBody(ctx.req)),
    header: (name) => ctx.get(name),
  });
  ctx.status = reply.status ?? 200;
  if (reply.headers) ctx.set(reply.headers);
  if (reply.body) ctx.body = reply.body;
};
