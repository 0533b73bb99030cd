/** Requests whose Host a test chooses. */
import { Agent, request } from 'undici';
import { afterFile } from '../../deploy/testing/local.ts';
import { phone } from './redirector.ts';

export interface Asked {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Requests a redirector as a phone does; redirects are not followed.
 * @param url of the redirector
 * @param keepAlive whether connections are reused: a redirector that stops waits for those
 */
export const createAsk = (url: string, keepAlive = true) => {
  const agent = new Agent({ pipelining: keepAlive ? 1 : 0 });
  afterFile(() => agent.destroy());
  return async (host: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const answer = await request(url + path, {
      dispatcher: agent,
      method,
      headers: { host, 'user-agent': phone, ...headers },
      ...(body !== undefined && { body }),
    });
    return {
      status: answer.statusCode,
      location: answer.headers.location,
      headers: answer.headers,
      text: await answer.body.text(),
    };
  };
};
