/** Rows of an import → codes that are ready to be stored, or why they cannot be. Both phases take the same steps. */
import type { ClientError } from '#shared/errors.ts';
import { isForLater } from '../../../jobs/waiting.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { AliasClaims } from '../../codes/aliases/claim.ts';
import { fieldsOfCode, type Place, type WantedAlias } from '../../codes/aliases/targets.ts';
import type { CodeBatch } from '../../codes/batch/code-batch.ts';
import type { PreparedCode } from '../../codes/prepare-code.ts';
import type { Link, LinkRefusal } from '../read/link.ts';
import type { StoredImport } from '../store/imports.ts';
import type { ImportRow } from '../store/rows.ts';
import { readPlace } from './place.ts';
import { refusalOf, refusalOfLink } from './reasons.ts';

/** `later`: other work took the time of the slice. */
export type Outcome =
  | { row: ImportRow; code: PreparedCode }
  | { row: ImportRow; refusal: LinkRefusal }
  | { row: ImportRow; later: ClientError };

export interface PrepareRowsOptions {
  pool: Pool;
  batch: Pick<CodeBatch, 'prepare'>;
  claims: Pick<AliasClaims, 'check'>;
}

const wanted = (slug: string, { domain }: Place): WantedAlias => ({ alias: slug, domain });

/** The body of its create. */
const bodyOf = (link: Link, { domain }: Place): object => ({
  data: link.destination,
  ...(link.name !== null && { name: link.name }),
  ...(link.tags.length > 0 && { tags: link.tags }),
  ...(link.archived && { archived: true }),
  ...(link.externalId !== null && { externalId: link.externalId }),
  ...(link.expiresAt !== null && { expiresAt: link.expiresAt }),
  alias: link.shortLinks[0]!.slug,
  aliasDomain: domain,
});

const furtherOf = ({ shortLinks }: Link, place: Place): WantedAlias[] =>
  shortLinks.slice(1).map(({ slug }) => wanted(slug, place));

export const createPrepareRows = ({ pool, batch, claims }: PrepareRowsOptions) => {
  /** Of the aliases beside the first, which the batch does not look at. */
  const checkFurther = async (workspaceId: string, outcomes: Outcome[]): Promise<Outcome[]> => {
    const asked = outcomes.flatMap((outcome) =>
      'code' in outcome ? (outcome.code.furtherAliases ?? []).map((alias) => ({ outcome, alias })) : [],
    );
    const aliases = asked.map(({ alias }) => alias);
    const errors = await claims.check(pool, workspaceId, aliases, fieldsOfCode);
    const refused = new Map<Outcome, ClientError>();
    for (const [at, error] of errors.entries()) if (error) refused.set(asked[at]!.outcome, error);
    return outcomes.map((outcome) => {
      const error = refused.get(outcome);
      return error ? { row: outcome.row, refusal: refusalOf(error) } : outcome;
    });
  };

  /** @throws errors that are no row's fault */
  return async (
    { id, workspaceId, domain }: StoredImport,
    rows: readonly ImportRow[],
    dryRun: boolean,
  ): Promise<Outcome[]> => {
    const place = await readPlace(pool, workspaceId, domain);
    const early = rows.map((row) => ({ row, refusal: refusalOfLink(row.link, place) }));
    const left = early.flatMap(({ row, refusal }) => (refusal ? [] : [row]));
    const bodies = left.map(({ link }) => bodyOf(link, place));
    const prepared = await batch.prepare(workspaceId, bodies, { dryRun });
    const byRow = new Map(left.map((row, at) => [row, prepared[at]!]));
    const outcomes = early.map(({ row, refusal }): Outcome => {
      if (refusal) return { row, refusal };
      const outcome = byRow.get(row)!;
      if ('error' in outcome)
        return isForLater(outcome.error)
          ? { row, later: outcome.error }
          : { row, refusal: refusalOf(outcome.error) };
      const { code } = outcome.value;
      const { createdAt, scans } = row.link;
      const imported = {
        importId: id,
        importedScanCount: scans,
        createdAt: createdAt === null ? null : new Date(createdAt),
      };
      const furtherAliases = furtherOf(row.link, place);
      return { row, code: { ...outcome.value, code: { ...code, ...imported }, furtherAliases } };
    });
    return checkFurther(workspaceId, outcomes);
  };
};

export type PrepareRows = ReturnType<typeof createPrepareRows>;
