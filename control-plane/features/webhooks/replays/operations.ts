/** /api/webhooks/{webhookId}/replay and …/replays */
import { type ReplayBody, type ReplayObject, replayBody, replayListQuery } from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { keptDays } from '../retention/expired.ts';
import { webhookPath } from '../subscriptions/operations.ts';
import { findWebhook } from '../subscriptions/store.ts';
import { listReplaysDocs, readReplayDocs, replayDocs } from './docs.ts';
import { createReplay, findReplay, isReplayIdShaped, listReplays, type StoredReplay } from './store.ts';

const toObject = (replay: StoredReplay): ReplayObject => ({
  id: replay.id,
  webhookId: replay.webhookId,
  from: replay.fromAt.toISOString(),
  to: replay.toAt.toISOString(),
  types: replay.types,
  which: replay.which,
  status: replay.status,
  sent: replay.done,
  at: replay.cursorAt?.toISOString() ?? null,
  createdAt: replay.createdAt.toISOString(),
  updatedAt: replay.updatedAt.toISOString(),
  finishedAt: replay.completedAt?.toISOString() ?? null,
});

/** @throws {ClientError} UNPROCESSABLE where the range has no length, lies ahead, or has nothing that is kept */
const checkRange = ({ from, to }: ReplayBody): void => {
  if (from >= to)
    throw new ClientError('UNPROCESSABLE', `to must be later than from; given: ${quoted(to.toISOString())}`);
  if (from.getTime() >= Date.now())
    throw new ClientError('UNPROCESSABLE', `from must be in the past; given: ${quoted(from.toISOString())}`);
  if (to.getTime() <= Date.now() - keptDays * 86_400_000)
    throw new ClientError(
      'UNPROCESSABLE',
      `to must be within the last ${keptDays} days, for which events are kept; given: ${quoted(to.toISOString())}`,
    );
};

/** The cursors of deliveries are of another list. */
const listIdOf = (webhookId: string): string => `replays ${webhookId}`;

const createListOperation = (pool: Pool, cursors: TextCursors): Operation =>
  operation({
    method: 'get',
    path: `${webhookPath}/replays`,
    query: replayListQuery,
    docs: listReplaysDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '' }, query: { limit, cursor } }) {
      const { id } = await findWebhook(pool, workspaceId, webhookId);
      const listId = listIdOf(id);
      const before = cursor === undefined ? undefined : cursors.decode(listId, cursor);
      // One more than a page has tells whether there is a next one.
      const read = await listReplays(pool, id, before, limit + 1);
      const page = read.slice(0, limit);
      const nextCursor = read.length > limit ? cursors.encode(listId, page.at(-1)!.seq) : null;
      return {
        body: { data: page.map(toObject), pagination: { limit, cursor: cursor ?? null, nextCursor } },
      };
    },
  });

export const createReplayOperations = (pool: Pool, cursors: TextCursors): Operation[] => [
  operation({
    method: 'post',
    path: `${webhookPath}/replay`,
    access: 'admin',
    body: replayBody,
    docs: replayDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '' }, body }) {
      const made = await inTransaction(pool, async (tx) => {
        await findWebhook(tx, workspaceId, webhookId);
        checkRange(body);
        return createReplay(tx, { ...body, webhookId, workspaceId });
      });
      return { status: 202, body: toObject(made) };
    },
  }),
  createListOperation(pool, cursors),
  operation({
    method: 'get',
    path: `${webhookPath}/replays/:replayId`,
    docs: readReplayDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '', replayId = '' } }) {
      const webhook = await findWebhook(pool, workspaceId, webhookId);
      const replay = isReplayIdShaped(replayId) ? await findReplay(pool, webhook.id, replayId) : undefined;
      if (!replay) throw new ClientError('NOT_FOUND', `There is no replay with the id ${quoted(replayId)}`);
      return { body: toObject(replay) };
    },
  }),
];
