/** Scans a code, or views a page, over many connections until it is stopped, and counts the answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, vi } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { phone } from './redirector.ts';

export interface LoadResult {
  /** Scans answered with a redirect, or views with the page. */
  acknowledged: number;
  /** The statuses and errors of the other scans. */
  failures: string[];
}

export interface LoadOptions {
  /** Concurrent requests. */
  clients: number;
  /** Whether each request has a connection of its own, like a phone's. */
  newConnections?: boolean;
  /** Between a client's requests. */
  pauseMs?: number;
}

export interface Load {
  /** Lets the requests under way be answered. */
  stop(): Promise<LoadResult>;
  /** So far. */
  readonly acknowledged: number;
}

/** @param target the id of a code, or the path of a page. Needs TRUSTED_PROXIES: each scan has an address of its own, below every limit. */
export const startLoad = (url: string, target: string, options: LoadOptions): Load => {
  const { clients, newConnections = false, pauseMs = 0 } = options;
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const result: LoadResult = { acknowledged: 0, failures: [] };
  let stopped = false;
  const path = target.startsWith('/') ? target : `/r/${target}`;
  const address = (): string => {
    const byte = () => Math.floor(Math.random() * 256);
    return `10.${byte()}.${byte()}.${byte()}`;
  };
  const scan = async (): Promise<void> => {
    while (!stopped) {
      try {
        const { statusCode, body } = await request(`${url}${path}`, {
          dispatcher: agent,
          reset: newConnections,
          headers: { 'user-agent': phone, 'accept-encoding': 'br', 'x-forwarded-for': address() },
        });
        await body.dump();
        if (statusCode === 302 || statusCode === 200) result.acknowledged++;
        else result.failures.push(String(statusCode));
      } catch (error) {
        result.failures.push(String(error));
        await sleep(5);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const scanning = Promise.all(Array.from({ length: clients }, scan));
  return {
    get acknowledged() {
      return result.acknowledged;
    },
    async stop() {
      stopped = true;
      await scanning;
      await agent.destroy();
      return result;
    },
  };
};

/** Rows of the raw table, distinct events, and the sums of both rollups. */
export const totalsOf = async (clickhouseUrl: string) => {
  const client = createClickHouse(clickhouseUrl, 'test', 10_000);
  const result = await client.query({
    query: `SELECT toUInt32((SELECT count() FROM scans)) AS raw,
      toUInt32((SELECT uniqExact(event_id) FROM scans)) AS events,
      toUInt32((SELECT sum(scans) FROM scans_daily)) AS daily,
      toUInt32((SELECT sum(scans) FROM scans_daily_breakdown WHERE dimension = 'device')) AS devices`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<Record<'raw' | 'events' | 'daily' | 'devices', number>>();
  await client.close();
  return row!;
};

/** The totals of `count` scans, each counted once everywhere. */
export const totalsFor = (count: number) => ({ raw: count, events: count, daily: count, devices: count });

/**
 * Resolves once at least `count` scans are counted, each once everywhere: a stop sends for a few seconds, and leaves
 * the rest to the next start.
 * @returns how many were counted
 */
export const untilCounted = (clickhouseUrl: string, count: number): Promise<number> =>
  vi.waitFor(
    async () => {
      const totals = await totalsOf(clickhouseUrl);
      expect(totals).toEqual(totalsFor(Math.max(count, totals.raw)));
      return totals.raw;
    },
    { timeout: 200_000, interval: 200 },
  );
