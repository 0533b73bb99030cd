/** Many changes to a workspace's codes at once. Each takes the steps of a single update. */
import type { UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import { payloadLengthMax } from '#schemas/api/payloads.ts';
import { ClientError } from '#shared/errors.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Screening } from '../../screening/screening.ts';
import {
  type ChangePreparationOptions,
  createChangePreparation,
  createPlainChange,
  type ProvenChange,
  updateBy,
} from '../prepare-change.ts';
import type { CodePublishing } from '../publishing.ts';
import { type ChangedCode, changeCodes, type PlannedChange } from '../store/change-many.ts';
import type { Change } from '../store/write.ts';
import { createBatchQueue } from './batch-queue.ts';
import { prepareRows, type RowOutcome, refusalOf } from './rows.ts';
import { screenMade } from './screen-made.ts';
import { type BatchStepsOptions, createBatchSteps } from './steps.ts';

/** A row: the code, and the body of its update as sent. */
export interface ChangeRow {
  id: string;
  body: unknown;
}

export interface PreparedChange extends PlannedChange {
  /** About the new style. */
  warnings: readonly string[];
}

export interface ChangeBatch {
  /**
   * Checks rows as far as possible without a lock, hashes passwords and proves styles. Like the preparation of new
   * codes it queues with others, and leaves rows for later.
   * @returns an entry for each row, in their order
   * @throws errors that are no row's fault, e.g. if the database is away
   */
  prepare(workspaceId: string, rows: readonly ChangeRow[]): Promise<RowOutcome<PreparedChange>[]>;
  /**
   * The change that replaces a text throughout the destination. A destination without it stays. The change throws
   * ClientError: CONFLICT for a code that cannot be updated, UNPROCESSABLE naming the fault.
   */
  replacement(find: string, replace: string): Change;
  /** Screens what a replacement makes of the present destinations. @returns an entry for each code, in their order */
  prepareReplacement(
    workspaceId: string,
    ids: readonly string[],
    texts: { find: string; replace: string },
  ): Promise<RowOutcome<PreparedChange>[]>;
  /**
   * Changes codes, with one call of the outbox for the `qr.updated` of all that differ.
   * @param prepared each of another code
   * @param afterCommit gets the publishing of codes that differ, which never fails
   * @returns an entry for each, in their order; a ClientError for a change that the code refuses
   */
  effect(
    tx: Transaction,
    workspaceId: string,
    prepared: readonly PlannedChange[],
    afterCommit: AfterCommit,
  ): Promise<(ChangedCode | ClientError)[]>;
}

export interface ChangeBatchOptions
  extends BatchStepsOptions,
    Pick<ChangePreparationOptions, 'pool' | 'destinationOf'> {
  /** @throws {ClientError} for a body that is not an update, naming the field */
  check(body: unknown): UpdateCodeBody;
  screening: Pick<Screening, 'requireAllowed' | 'isIdle'>;
  outbox: Outbox;
  publishing: Pick<CodePublishing, 'publishChanged'>;
}

const unproven = (change: Change): ProvenChange => ({ change, warnings: [] });

/** A change overtaken only now is left for later, without failing the other changes of its transaction. */
const forLater =
  (change: Change): Change =>
  (current) => {
    try {
      return change(current);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };

/** The length after replacing. Checked first: a text of a few thousand characters could become one of millions. */
const lengthAfter = (text: string, find: string, replace: string): number =>
  text.length + (text.split(find).length - 1) * (replace.length - find.length);

/** @throws {ClientError} UNPROCESSABLE if the text would be too long for a destination */
const replaceIn = (text: string, find: string, replace: string): string => {
  const length = lengthAfter(text, find, replace);
  if (length > payloadLengthMax)
    throw new ClientError(
      'UNPROCESSABLE',
      `destination must have at most ${payloadLengthMax} characters; it would have ${length}`,
    );
  return text.replaceAll(find, () => replace);
};

/** The refusal of a destination that a replacement makes; no field of a body is at fault. */
const withFind = (error: unknown): unknown =>
  error instanceof ClientError && error.code !== 'CONFLICT'
    ? new ClientError('UNPROCESSABLE', `With find replaced, ${error.message}`, { cause: error })
    : error;

export const createChangeBatch = (options: ChangeBatchOptions): ChangeBatch => {
  const { pool, destinationOf, check, outbox, publishing } = options;
  const plainChange = createPlainChange(destinationOf);

  const replacement: ChangeBatch['replacement'] = (find, replace) => (current) => {
    if (!current.destination.includes(find)) return {};
    try {
      const body = { destination: replaceIn(current.destination, find, replace) };
      return plainChange(() => body)(current);
    } catch (error) {
      throw withFind(error);
    }
  };

  return {
    prepare(workspaceId, rows) {
      const queue = createBatchQueue();
      const preparation = createChangePreparation({
        pool,
        destinationOf,
        ...createBatchSteps(options, queue),
      });
      return prepareRows(rows, queue, async ({ id, body }) => {
        const checked = check(body);
        await options.screening.requireAllowed(checked, workspaceId);
        const update = updateBy(checked);
        const needsStyle = update.isStyled;
        const plain = await preparation.changeOf(workspaceId, id, update);
        const proven = needsStyle ? await preparation.prove(workspaceId, id, plain) : unproven(plain);
        return { id, needsStyle, warnings: proven.warnings, change: forLater(proven.change) };
      });
    },
    replacement,
    async prepareReplacement(workspaceId, ids, texts) {
      const { find, replace } = texts;
      const refusals = await screenMade(options, workspaceId, ids, (destination) =>
        destination.includes(find) ? { destination: replaceIn(destination, find, replace) } : undefined,
      );
      const change = replacement(find, replace);
      return ids.map((id) => {
        const error = refusals.get(id);
        return error ? { error } : { value: { id, change, needsStyle: false, warnings: [] } };
      });
    },
    async effect(tx, workspaceId, prepared, afterCommit) {
      const results = await changeCodes(tx, outbox, workspaceId, prepared);
      const changed = results.flatMap((each) =>
        !(each instanceof ClientError) && each.isChanged ? [each.code] : [],
      );
      afterCommit(() => publishing.publishChanged(changed));
      return results;
    },
  };
};
