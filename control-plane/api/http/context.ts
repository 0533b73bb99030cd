/** Facts about a request that a middleware leaves for the next ones. */
import type Koa from 'koa';

export interface State {
  /** In every response as `request-id`, and in every log line of the request. */
  requestId: string;
  /** The path pattern that matched, such as `/api/qr/codes/:id`; undefined until one has. */
  route?: string;
  /** The names by which a refusal of the operation may begin (refusal-body.ts). */
  fields?: ReadonlySet<string>;
  /** The body of the refusal, also if a browser got a page instead. */
  refusal?: RefusalBody;
}

export interface RefusalBody {
  error: string;
  code: string;
  param?: string;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
