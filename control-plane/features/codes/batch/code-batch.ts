/**
 * Many codes of one workspace at once. Each row takes the steps of a single create; steps that rows share are taken
 * once: a brand kit is looked up, a style is proven, codes are stored by one statement.
 */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { isLogoUrl } from '#schemas/api/row-logo.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { FetchRowLogo, RowLogos } from '../../logos/row-logos.ts';
import { type CodePreparationOptions, createCodePreparation, type PreparedCode } from '../prepare-code.ts';
import type { CodePublishing } from '../publishing.ts';
import type { Code } from '../store/code.ts';
import { createCodes } from '../store/create.ts';
import { createBatchQueue } from './batch-queue.ts';
import { prepareRows, type RowOutcome } from './rows.ts';
import { type BatchStepsOptions, createBatchSteps } from './steps.ts';

export interface CodeBatch {
  /**
   * Checks rows and does all slow parts of their creation: hashing passwords, sealing payloads, fetching logos, proving
   * styles. Waits with other requests in their queues.
   * @param bodies the body of each code as sent, without the `uid`
   * @param options.timeMsMax default: 3 s; work begun by then is finished
   * @returns an entry for each body, in their order; the first row is always begun
   * @throws errors that are no row's fault, e.g. if the database is away
   */
  prepare(
    workspaceId: string,
    bodies: readonly unknown[],
    options?: { timeMsMax?: number },
  ): Promise<RowOutcome<PreparedCode>[]>;
  /**
   * Stores codes with one statement, and one call of the outbox for their `qr.created`.
   * @param afterCommit gets the publishing to redirectors, which never fails
   * @returns the codes in the order of `prepared`
   */
  effect(tx: Transaction, prepared: readonly PreparedCode[], afterCommit: AfterCommit): Promise<Code[]>;
}

export interface CodeBatchOptions extends BatchStepsOptions, Pick<CodePreparationOptions, 'ids'> {
  /** @throws {ClientError} naming the field if the body is not valid */
  check(body: unknown): CreateCodeBody;
  logos: RowLogos;
  outbox: Outbox;
  publishing: Pick<CodePublishing, 'publishCreated'>;
}

/** The body with its logo fetched, if it is given by URL. */
const withLogo = async (body: CreateCodeBody, fetchLogo: FetchRowLogo): Promise<CreateCodeBody> =>
  body.image !== undefined && isLogoUrl(body.image) ? { ...body, image: await fetchLogo(body.image) } : body;

export const createCodeBatch = (options: CodeBatchOptions): CodeBatch => ({
  prepare(workspaceId, bodies, { timeMsMax } = {}) {
    const queue = createBatchQueue(timeMsMax);
    const prepareCode = createCodePreparation({ ids: options.ids, ...createBatchSteps(options, queue) });
    const fetchLogo = options.logos.run(workspaceId);
    return prepareRows(bodies, queue, async (body) =>
      prepareCode(workspaceId, await withLogo(options.check(body), fetchLogo)),
    );
  },
  async effect(tx, prepared, afterCommit) {
    const { outbox, ids, publishing } = options;
    const codes = await createCodes(
      tx,
      outbox,
      prepared.map(({ code }) => code),
      ids.create,
    );
    afterCommit(() => publishing.publishCreated(codes));
    return codes;
  },
});
