/** For tests: the events that the workspaces of a subscription got, and its present terms. */
import type { Queryable } from '../../../platform/db/pool.ts';

interface ProviderEvent {
  id: string;
  type: string;
  workspaceId: string;
  data: Record<string, unknown>;
  subject: { id: string; version: number };
}

/** In the order of emission. */
export const recordedOf = async (db: Queryable, workspaceId: string): Promise<ProviderEvent[]> => {
  const { rows } = await db.query<{ event: ProviderEvent }>(
    `SELECT event FROM subscription_events WHERE event->>'workspaceId' = $1 ORDER BY seq`,
    [workspaceId],
  );
  return rows.map(({ event }) => event);
};

/** `activated`, `renewed` … */
export const recordedTypes = async (db: Queryable, workspaceId: string): Promise<string[]> =>
  (await recordedOf(db, workspaceId)).map(({ type }) => type.replace('subscription.', ''));

/** `growth active` */
export const termsNow = async (db: Queryable, subscriptionId: string): Promise<string> => {
  const { rows } = await db.query<{ terms: string }>(
    `SELECT plan || ' ' || status AS terms FROM subscriptions WHERE id = $1`,
    [subscriptionId],
  );
  return rows[0]!.terms;
};
