/** Who looks at a page: a person is counted as a scan of a code is, and nobody else. */
import { createMemo } from '#shared/memo.ts';
import { isPrefetch } from '#shared/prefetch.ts';
import { cutUserAgent, parseUserAgent } from '#shared/user-agent.ts';
import type { PublicRequest } from '../../../http/operation.ts';

const userAgentsMax = 10_000;

/** @returns whether a request is a person's view: no HEAD, no crawler or link preview, nothing that is fetched ahead */
export const createViewers = () => {
  const known = createMemo(userAgentsMax, parseUserAgent);
  return ({ method, header }: Pick<PublicRequest<unknown, unknown>, 'method' | 'header'>): boolean => {
    if (method === 'HEAD') return false;
    const userAgent = known.get(cutUserAgent(header('user-agent')));
    return !userAgent.bot && !isPrefetch({ getHeader: header });
  };
};
