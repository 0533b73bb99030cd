/**
 * Many codes of one workspace at once. Each row takes the steps of a single create; steps that rows share are taken
 * once: a brand kit is looked up, a style is proven, codes are stored by one statement.
 */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { externalIdLengthMax } from '#schemas/api/own-fields.ts';
import { isLogoUrl } from '#schemas/api/row-logo.ts';
import { ClientError } from '#shared/errors.ts';
import type { LinkedAlias } from '#shared/redirect-url.ts';
import type { AfterCommit } from '../../../api/idempotency/request.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { DocumentPublishing } from '../../../publishing/documents.ts';
import type { FetchRowLogo, RowLogos } from '../../logos/row-logos.ts';
import type { Screening } from '../../screening/screening.ts';
import type { AliasClaims } from '../aliases/claim.ts';
import { fieldsOfCode } from '../aliases/targets.ts';
import { type CodePreparationOptions, createCodePreparation, type PreparedCode } from '../prepare-code.ts';
import type { CodePublishing } from '../publishing.ts';
import type { Code } from '../store/code.ts';
import { createEachCode } from '../store/create.ts';
import { externalIdTaken, findByExternalIds } from '../store/external-ids.ts';
import { whyNoCode } from '../store/key-domains.ts';
import { createBatchQueue } from './batch-queue.ts';
import { later, prepareRows, type RowOutcome } from './rows.ts';
import { type BatchStepsOptions, createBatchSteps } from './steps.ts';

export interface CreatedCode extends Code {
  alias: LinkedAlias | undefined;
}

export interface CodeBatch {
  /**
   * Checks rows and does all slow parts of their creation: hashing passwords, sealing payloads, fetching logos, proving
   * styles. Waits with other requests in their queues.
   * @param bodies the body of each code as sent, without the `uid`
   * @param options.timeMsMax default: 3 s; work begun by then is finished
   * @param options.dryRun whether nothing may be stored, not even new tags
   * @returns an entry for each body, in their order; the first row is always begun
   * @throws errors that are no row's fault, e.g. if the database is away
   */
  prepare(
    workspaceId: string,
    bodies: readonly unknown[],
    options?: { timeMsMax?: number; dryRun?: boolean },
  ): Promise<RowOutcome<PreparedCode>[]>;
  /**
   * Stores codes with one statement, and one call of the outbox for their `qr.created`.
   * @param createdBy the id of the key; null if it is not known
   * @param afterCommit gets the publishing to redirectors, which never fails
   * @returns the codes in the order of `prepared`; {@link later} in place of one whose externalId was taken meanwhile,
   * also by an earlier one: its next preparation names the code that has it
   * @throws {ClientError} CONFLICT if an alias has been taken since they were prepared: smaller slices are tried
   */
  effect(
    tx: Transaction,
    createdBy: string | null,
    prepared: readonly PreparedCode[],
    afterCommit: AfterCommit,
  ): Promise<(CreatedCode | ClientError)[]>;
}

export interface CodeBatchOptions extends BatchStepsOptions, Pick<CodePreparationOptions, 'ids'> {
  /** @throws {ClientError} naming the field if the body is not valid */
  check(body: unknown): CreateCodeBody;
  screening: Pick<Screening, 'requireAllowed' | 'isIdle'>;
  pool: Pool;
  logos: RowLogos;
  outbox: Outbox;
  publishing: Pick<CodePublishing, 'publishCreated'>;
  claims: AliasClaims;
  documentPublishing: DocumentPublishing;
  /** The host name of QR_HOST. */
  sharedHost: string;
}

/** The body with its logo fetched, if it is given by URL. */
const withLogo = async (body: CreateCodeBody, fetchLogo: FetchRowLogo): Promise<CreateCodeBody> =>
  body.image !== undefined && isLogoUrl(body.image) ? { ...body, image: await fetchLogo(body.image) } : body;

/** Of a row as it is sent. */
const externalIdOf = (body: unknown): string[] =>
  typeof body === 'object' && body !== null && 'externalId' in body && typeof body.externalId === 'string'
    ? [body.externalId.slice(0, externalIdLengthMax)]
    : [];

/** Before anything is hashed or drawn. @throws {ClientError} EXTERNAL_ID_TAKEN */
const requireFree = ({ externalId }: CreateCodeBody, holders: ReadonlyMap<string, string>): void => {
  if (!externalId) return;
  const id = holders.get(externalId);
  if (id !== undefined) throw externalIdTaken(externalId, id);
};

/** Refuses the rows whose alias cannot be had. Two of a call that want the same one are no race: the second is refused. */
const refuseTaken = async (
  { pool, claims }: CodeBatchOptions,
  workspaceId: string,
  rows: readonly RowOutcome<PreparedCode>[],
): Promise<RowOutcome<PreparedCode>[]> => {
  const wanting = rows.flatMap((row) =>
    'value' in row && row.value.alias ? [{ row, alias: row.value.alias }] : [],
  );
  const refusals = await claims.check(
    pool,
    workspaceId,
    wanting.map(({ alias }) => alias),
    fieldsOfCode,
  );
  const refused = new Map<RowOutcome<PreparedCode>, ClientError | undefined>(
    wanting.map(({ row }, at) => [row, refusals[at]]),
  );
  return rows.map((row) => {
    const error = refused.get(row);
    return error ? { error } : row;
  });
};

/** @returns the first alias of each code, and the ids of the documents that changed */
const claimAliases = async (
  tx: Transaction,
  claims: AliasClaims,
  codes: readonly (Code | ClientError)[],
  prepared: readonly PreparedCode[],
) => {
  const wanting = codes.flatMap((code, at) => {
    if (code instanceof ClientError) return [];
    const { alias, furtherAliases = [] } = prepared[at]!;
    return [...(alias ? [alias] : []), ...furtherAliases].map((wanted) => ({ codeId: code.id, wanted }));
  });
  const workspaceId = prepared[0]?.code.workspaceId ?? '';
  const { aliases, documents } = await claims.claim(tx, workspaceId, wanting, fieldsOfCode);
  return {
    documents,
    byCode: new Map(wanting.map(({ codeId }, at) => [codeId, aliases[at]] as const).reverse()),
  };
};

export const createCodeBatch = (options: CodeBatchOptions): CodeBatch => ({
  async prepare(workspaceId, bodies, { timeMsMax, dryRun } = {}) {
    const queue = createBatchQueue(timeMsMax);
    const prepareCode = createCodePreparation({ ids: options.ids, ...createBatchSteps(options, queue) });
    const fetchLogo = options.logos.run(workspaceId);
    const holders = await findByExternalIds(options.pool, workspaceId, bodies.flatMap(externalIdOf));
    const refusal = await whyNoCode(options.pool, workspaceId, options.sharedHost);
    if (refusal) return bodies.map(() => ({ error: refusal }));
    const rows = await prepareRows(bodies, queue, async (body) => {
      const checked = options.check(body);
      requireFree(checked, holders);
      await options.screening.requireAllowed(checked, workspaceId);
      return prepareCode(workspaceId, await withLogo(checked, fetchLogo), dryRun);
    });
    return refuseTaken(options, workspaceId, rows);
  },
  async effect(tx, createdBy, prepared, afterCommit) {
    const { outbox, ids, publishing, claims, documentPublishing } = options;
    const codes = await createEachCode(
      tx,
      outbox,
      prepared.map(({ code }) => ({ ...code, createdBy })),
      ids.create,
      options.sharedHost,
    );
    const created = codes.flatMap((code) => (code instanceof ClientError ? [] : [code]));
    const { byCode, documents } = await claimAliases(tx, claims, codes, prepared);
    afterCommit(async () => {
      await Promise.all([publishing.publishCreated(created), documentPublishing.publish(documents)]);
    });
    return codes.map((code) =>
      code instanceof ClientError ? later : { ...code, alias: byCode.get(code.id) },
    );
  },
});
