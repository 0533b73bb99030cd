/** Facts about a request that one middleware leaves for those after it. */
import type Koa from 'koa';

export interface State {
  /** In every answer as `request-id`, and in every log line of the request. */
  requestId: string;
  /** The path pattern that matched, such as `/api/qr/codes/:id`; undefined until one has. */
  route?: string;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
