/**
 * Who acts. A request, a slice of a job and a verb of the operator each run as an action; whatever they write can ask for
 * the actor. An action that is logged adds its row to audit_log at the end of its transaction, so that the row exists if and
 * only if the change does, and no operation can forget it.
 *
 * The action follows the calls (AsyncLocalStorage) instead of being an argument of each: the audit log is of every operation,
 * also of the next one. This costs some 0.1 µs for each await.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryConfig } from 'pg';
import { prefixedIds } from '#shared/ids.ts';
import type { Queryable } from './pool.ts';

/** A request acts as its key, and the operator by a verb. */
export type Actor = { readonly kind: 'key'; readonly keyId: string } | { readonly kind: 'operator' };

/** What an action is about: known when it begins, or noted while it runs. */
export interface Subject {
  workspaceId?: string;
  resourceId?: string;
}

/** An action that is logged. */
export interface LoggedAction extends Subject {
  /** The operationId of the API, or the name of a verb. */
  readonly operation: string;
  readonly requestId?: string;
}

interface Running {
  readonly actor: Actor;
  logged: (LoggedAction & { readonly id: string; readonly at: Date }) | undefined;
}

export const auditIds = prefixedIds('aud');

const running = new AsyncLocalStorage<Running>();
/** Transactions that change nothing of a workspace, although they may have written. */
const unlogged = new WeakSet<Queryable>();

/** Runs `work` as an action. @param logged absent for a job: the request that began it is logged */
export const actAs = async <Result>(
  actor: Actor,
  logged: LoggedAction | undefined,
  work: () => Promise<Result>,
): Promise<Result> => {
  const action: Running = { actor, logged: logged && { ...logged, id: auditIds.create(), at: new Date() } };
  try {
    return await running.run(action, work);
  } finally {
    // What goes on in the background afterwards is not the action.
    action.logged = undefined;
  }
};

/** @returns undefined outside of an action, such as in a nightly task */
export const currentActor = (): Actor | undefined => running.getStore()?.actor;

/** The id of the key that acts; null for the operator, and outside of an action. */
export const currentKeyId = (): string | null => {
  const actor = currentActor();
  return actor?.kind === 'key' ? actor.keyId : null;
};

/** Adds what the action is about, such as the id of what it creates. Outside of a logged action it does nothing. */
export const noteSubject = (subject: Subject): void => {
  const logged = running.getStore()?.logged;
  if (logged) Object.assign(logged, subject);
};

/** The transaction claims, reserves or finds nothing to do: it is not the change that the action is logged for. */
export const isNoChange = (tx: Queryable): void => {
  unlogged.add(tx);
};

/**
 * The last statement of every transaction: it logs the action, once, if the transaction has written. If it fails, the change is
 * undone: a change that cannot be logged does not happen.
 */
export const statementOfLog = (tx: Queryable): QueryConfig | undefined => {
  const action = running.getStore();
  const isUnlogged = unlogged.has(tx);
  if (!action?.logged || action.logged.workspaceId === undefined || isUnlogged) return undefined;
  const { id, at, workspaceId, operation, resourceId, requestId } = action.logged;
  return {
    name: 'log-action',
    text: `INSERT INTO audit_log (id, at, workspace_id, actor, key_id, operation, resource_id, request_id)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE pg_current_xact_id_if_assigned() IS NOT NULL
      ON CONFLICT (id, at) DO NOTHING`,
    values: [
      id,
      at.toISOString(),
      workspaceId,
      action.actor.kind,
      currentKeyId(),
      operation,
      resourceId ?? null,
      requestId ?? null,
    ],
  };
};
