/** Gives aliases to codes, in the transaction of the change; and checks before it whether that will succeed. */
import { aliasesPerCodeMax } from '#schemas/aliases.ts';
import type { Plan } from '#schemas/api/plans.ts';
import { aliasDocumentId } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import { aliasesMaxOf, countCapReached } from '../../../api/access/plans.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { documentsChanged } from '../../../publishing/documents.ts';
import { findKeyDomains, whyNoAliasAt } from '../store/key-domains.ts';
import {
  countNew,
  countOfCode,
  findKnown,
  insertAliases,
  type KnownAlias,
  lockSlugs,
  readAliasDomains,
  readCount,
  readSlugVersions,
  reviveAlias,
  type SlugKey,
  type StoredAlias,
} from './store.ts';
import {
  type AliasFields,
  aliasDomainName,
  placeOf,
  refusalOf,
  sameAlias,
  type Target,
  targetOf,
  type WantedAlias,
} from './targets.ts';

/** An alias for a code of the workspace. */
export interface AliasClaim {
  codeId: string;
  wanted: WantedAlias;
}

export interface ClaimedAliases {
  /** In the order of the claims. */
  aliases: StoredAlias[];
  /** The ids of the documents that changed, to be published after the commit. */
  documents: string[];
}

export interface AliasClaims {
  /**
   * Gives aliases to codes, which must exist and be locked or new.
   * @throws {ClientError} UNPROCESSABLE, or CONFLICT for an alias that is taken and for a limit
   */
  claim(
    tx: Transaction,
    workspaceId: string,
    claims: readonly AliasClaim[],
    fields: AliasFields,
  ): Promise<ClaimedAliases>;
  /**
   * Whether claims of new codes would succeed now.
   * @returns an entry for each: its refusal, or undefined; of two that want the same, the second is refused
   */
  check(
    db: Queryable,
    workspaceId: string,
    wanted: readonly WantedAlias[],
    fields: AliasFields,
  ): Promise<(ClientError | undefined)[]>;
}

/** For random aliases: there are 27 billion of seven characters, and 900,000 of four. */
const attemptsMax = 6;

/** The documents of slugs have changed; must be called in the transaction of the change, under the lock of the slugs. */
export const slugsChanged = async (tx: Transaction, keys: readonly SlugKey[]): Promise<string[]> => {
  const changed = (await readSlugVersions(tx, keys)).map(({ space, slug, version }) => ({
    id: aliasDocumentId(space, slug),
    version,
  }));
  await documentsChanged(tx, changed);
  return changed.map(({ id }) => id);
};

const fullWorkspace = (limit: number): ClientError =>
  countCapReached(
    'aliases',
    limit,
    `The workspace has at most ${limit} aliases on its plan, deleted ones included: what was printed stays reserved`,
  );

const limitOf = ({ plan }: { plan: string }): number =>
  aliasesMaxOf(plan as Plan) ?? Number.POSITIVE_INFINITY;

/** Of a code that is locked. @throws {ClientError} CONFLICT */
export const requireRoomOfCode = async (tx: Transaction, codeId: string): Promise<void> => {
  if ((await countOfCode(tx, codeId)) < aliasesPerCodeMax) return;
  throw countCapReached(
    'aliasesOfCode',
    aliasesPerCodeMax,
    `A code has at most ${aliasesPerCodeMax} aliases; delete one first`,
  );
};

/** @returns for each target its refusal; what an earlier one takes is taken for the later ones */
const refusalsOf = (
  known: readonly KnownAlias[],
  targets: readonly Target[],
  fields: AliasFields,
): (ClientError | undefined)[] => {
  const taken = [...known];
  return targets.map((target) => {
    const refusal = refusalOf(taken, target, fields);
    // Of no row of the table.
    if (!refusal) taken.push({ ...target, seq: '', isDeleted: false });
    return refusal;
  });
};

/** Writes what is free. */
const write = async (tx: Transaction, known: readonly KnownAlias[], targets: readonly Target[]) => {
  const fresh: Target[] = [];
  const written = new Map<Target, StoredAlias>();
  for (const target of targets) {
    const [former] = sameAlias(known, target);
    if (former) written.set(target, await reviveAlias(tx, former.seq, target));
    else fresh.push(target);
  }
  for (const alias of await insertAliases(tx, fresh))
    written.set(fresh.find((each) => each.alias === alias.alias && each.domain === alias.domain)!, alias);
  if (fresh.length > 0) {
    const count = await countNew(tx, fresh[0]!.workspaceId, fresh.length);
    if (count.aliases > limitOf(count)) throw fullWorkspace(limitOf(count));
  }
  return targets.map((target) => written.get(target)!);
};

/** @param sharedHost the host name of QR_HOST */
export const createAliasClaims = (sharedHost: string): AliasClaims => {
  const nameIn = ({ domain }: WantedAlias): string | null | undefined =>
    typeof domain === 'string' ? aliasDomainName(domain, sharedHost) : domain;

  /** @returns a function from a claim to its target, which throws ClientError */
  const openTargets = async (
    db: Queryable,
    workspaceId: string,
    wanted: readonly WantedAlias[],
    fields: AliasFields,
    isLocked: boolean,
  ) => {
    const names = wanted.flatMap((each) => nameIn(each) ?? []);
    const domains = await readAliasDomains(db, workspaceId, names, isLocked);
    const allowed = await findKeyDomains(db);
    return ({ codeId, wanted: one }: AliasClaim): Target => {
      const place = placeOf(nameIn(one), domains, fields);
      const refusal = whyNoAliasAt(allowed, place.domain ?? sharedHost, fields.domain);
      if (refusal) throw refusal;
      return targetOf(one, { workspaceId, id: codeId }, place, fields);
    };
  };

  return {
    async claim(tx, workspaceId, claims, fields) {
      if (claims.length === 0) return { aliases: [], documents: [] };
      const toTarget = await openTargets(
        tx,
        workspaceId,
        claims.map(({ wanted }) => wanted),
        fields,
        true,
      );
      const targets = claims.map(toTarget);
      let known: KnownAlias[] = [];
      for (let attempt = 1; ; attempt++) {
        await lockSlugs(tx, targets);
        known = await findKnown(tx, targets);
        const refused = refusalsOf(known, targets, fields);
        const own = refused.find((refusal, at) => refusal && !targets[at]!.isRandom);
        if (own) throw own;
        if (!refused.some(Boolean)) break;
        if (attempt === attemptsMax)
          throw new ClientError(
            'CONFLICT',
            `${fields.length}: too few aliases of this length are free; give a larger one`,
          );
        for (const [at, refusal] of refused.entries()) if (refusal) targets[at] = toTarget(claims[at]!);
      }
      const aliases = await write(tx, known, targets);
      return { aliases, documents: await slugsChanged(tx, targets) };
    },
    async check(db, workspaceId, wanted, fields) {
      if (wanted.length === 0) return [];
      const toTarget = await openTargets(db, workspaceId, wanted, fields, false);
      const targets = wanted.map((each): Target | ClientError => {
        try {
          return toTarget({ codeId: '', wanted: each });
        } catch (error) {
          if (error instanceof ClientError) return error;
          throw error;
        }
      });
      const valid = targets.filter((target): target is Target => !(target instanceof ClientError));
      const known = await findKnown(db, valid);
      const count = await readCount(db, workspaceId);
      const refusals = refusalsOf(known, valid, fields);
      let left = limitOf(count) - count.aliases;
      return targets.map((target) => {
        if (target instanceof ClientError) return target;
        const refusal = target.isRandom ? undefined : refusals[valid.indexOf(target)];
        return refusal ?? (left-- > 0 ? undefined : fullWorkspace(limitOf(count)));
      });
    },
  };
};
