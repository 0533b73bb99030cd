/** The answers of the control plane for a page, which the bare server repeats. */
import { request } from 'undici';
import type { BareAnswer } from '../peers/bare-koa.ts';
import type { Page } from './pages.ts';

export const ways = ['plain', 'compressed', 'unchanged'] as const;
/** `plain`: a browser that takes no encoding; `compressed`: any other; `unchanged`: a browser that has the page. */
export type Way = (typeof ways)[number];

/** The path of an answer on the bare server. */
export const barePath = (page: Page, way: Way): string => `/${way}${page.path}`;

/** Node writes these itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

/** The headers of a browser that asks in this way. @param etag of the page */
export const headersOf = (way: Way, etag: string): Record<string, string> => ({
  host: 'qr.example',
  'user-agent': userAgent,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  ...(way !== 'plain' && { 'accept-encoding': 'gzip, deflate, br' }),
  ...(way === 'unchanged' && { 'if-none-match': etag }),
});

/** @throws {Error} for any other answer than the one to measure */
export const answerOf = async (origin: string, page: Page, way: Way, etag = ''): Promise<BareAnswer> => {
  const answer = await request(origin + page.path, { headers: headersOf(way, etag) });
  const body = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode !== (way === 'unchanged' ? 304 : 200))
    throw new Error(`${page.path} answered ${answer.statusCode} to a browser that is ${way}`);
  const headers = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name));
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: body.toString('base64'),
  };
};
