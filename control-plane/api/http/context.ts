/** Facts about a request that a middleware leaves for the next ones. */
import type Koa from 'koa';
import type { Principal } from '../access/authentication.ts';

export interface State {
  /** In every response as `request-id`, and in every log line of the request. */
  requestId: string;
  /** The path pattern that matched, such as `/api/qr/codes/:id`; undefined until one has. */
  route?: string;
  /** The names of what the matched operation takes. */
  names?: OperationNames;
  /** The caller, once its key is known to be valid. */
  principal?: Principal;
  /** The parsed body of a call with a key, while it is not answered; afterwards only if it was refused. */
  body?: unknown;
  /** The body of the refusal, also if a browser got a page instead. */
  refusal?: RefusalBody;
}

export interface OperationNames {
  /** Parameters, headers and fields of the body: a refusal begins with one of them (refusal-body.ts). */
  all: ReadonlySet<string>;
  /** Parameters of the query. */
  parameters: ReadonlySet<string>;
}

export interface RefusalBody {
  error: string;
  code: string;
  param?: string;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
