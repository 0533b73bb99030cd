/** One look at a destination: HEAD, and GET if that is refused. */
import type { HealthStatus } from '#schemas/api/destination-health.ts';
import { messageOf } from '#shared/errors.ts';
import type { SafeFetch } from '../../platform/outgoing/safe-fetch.ts';

export interface Health {
  status: HealthStatus;
  httpStatus: number | null;
}

export type Probe = (url: string) => Promise<Health>;

const timeoutMs = 8_000;
const redirectsMax = 5;

/** The server is there, and does not want programs to look: people may well get the page. */
const unseen: ReadonlySet<number> = new Set([401, 403, 405, 406, 429]);

const healthOf = (httpStatus: number): Health => ({
  status: httpStatus < 400 || unseen.has(httpStatus) ? 'ok' : 'broken',
  httpStatus,
});

/** @param onFault gets the reason for which there was no answer */
export const createProbe =
  (fetch: Pick<SafeFetch, 'status'>, onFault: (message: string) => void = () => {}): Probe =>
  async (url) => {
    const limits = { field: 'destination', timeoutMs, redirectsMax, accept: 'text/html,*/*;q=0.5' };
    try {
      const head = await fetch.status('HEAD', url, limits);
      if (head < 400) return healthOf(head);
      return healthOf(await fetch.status('GET', url, limits));
    } catch (error) {
      onFault(messageOf(error));
      return { status: 'unreachable', httpStatus: null };
    }
  };
