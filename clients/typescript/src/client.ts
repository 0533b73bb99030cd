/** The client: openapi-fetch with the document's types, a key, and patience with refusals that name a time. */
import createFetchClient, { type Client } from 'openapi-fetch';
import { type Fetch, withRetries } from './retries.ts';
import type { paths } from './schema.d.ts';

export interface WaymarkOptions {
  /** `wm_…`. Not for browsers of strangers: a key opens its whole workspace. */
  apiKey: string;
  /** The origin of the API, such as `https://api.example.com`. */
  baseUrl: string;
  /** How often a call is tried again after 429, 503 or a lost connection. Default: 2. 0: never. */
  retries?: number;
  /** The longest `Retry-After` that is waited for, in seconds. Default: 30. A longer one is returned as the refusal. */
  retryAfterMaxSeconds?: number;
  /** Default: the global `fetch`. */
  fetch?: Fetch;
}

/** `GET`, `POST` and so on, by the paths of the document: `await waymark.GET('/api/qr/codes/{id}', {params: {path: {id}}})` */
export type Waymark = Client<paths>;

export const createWaymark = ({
  apiKey,
  baseUrl,
  retries = 2,
  retryAfterMaxSeconds = 30,
  fetch = globalThis.fetch,
}: WaymarkOptions): Waymark =>
  createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${apiKey}` },
    fetch: withRetries(fetch, { retries, retryAfterMaxSeconds }),
  });
