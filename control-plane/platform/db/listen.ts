/** Notifications from PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';

const reconnectDelayMs = 1_000;

export interface Listening extends Closeable {
  /** Whether notifications arrive now, as far as known: a connection that dies silently is noticed later. */
  isHeard(): boolean;
}

/**
 * Listens on a channel, on its own connection, which is reopened for as long as necessary.
 * @param onNotified receives the payload; undefined after each connect, since earlier notifications were missed
 */
export const listenTo = (
  databaseUrl: string,
  channel: string,
  onNotified: (payload?: string) => void,
  logger: Logger,
): Listening => {
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let isHeard = false;
  /** Settles within the connection's time limit. */
  let connected: Promise<unknown> | undefined;

  const listen = async (): Promise<void> => {
    client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'waymark-listen',
      connectionTimeoutMillis: 3_000,
      query_timeout: 3_000,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client?.once('end', resolve);
      client?.once('error', () => resolve());
    });
    client.on('error', (error) => logger.debug({ err: error }, 'listening connection failed'));
    client.on('notification', ({ payload }) => onNotified(payload));
    try {
      connected = client.connect();
      await connected;
      if (closing.signal.aborted) return;
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      isHeard = true;
      onNotified();
      await ended;
    } finally {
      isHeard = false;
      await client.end();
    }
  };

  const keepListening = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await listen().catch((error: unknown) =>
        logger.debug({ err: error }, `listening to '${channel}' failed; retrying in a second`),
      );
      await sleep(reconnectDelayMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  const listening = keepListening();
  return {
    isHeard: () => isHeard,
    async close() {
      closing.abort();
      // A client that is ended while connecting neither connects nor fails.
      await connected?.catch(() => undefined);
      await client
        ?.end()
        .catch((error: unknown) =>
          logger.debug({ err: error }, `could not close the connection that listens to '${channel}'`),
        );
      await listening;
    },
  };
};
