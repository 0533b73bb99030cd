/** Adds and deletes aliases of a code, and reports it as a change of the code. */
import { slugOf } from '#schemas/aliases.ts';
import type { CreateAliasBody } from '#schemas/api/aliases.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { WholeCode } from '../store/code.ts';
import { aboutCode } from '../store/events.ts';
import { lockCode } from '../store/find.ts';
import { versionBeside, writeHistory } from '../store/history.ts';
import { touchCode } from '../store/write.ts';
import { type AliasClaims, requireRoomOfCode, slugsChanged } from './claim.ts';
import { deleteAlias, findKnown, lockSlugs, type SlugKey, type StoredAlias } from './store.ts';
import { ownFields } from './targets.ts';

/** What has to be published after the commit: the code, and documents. */
export type ChangedIds = readonly string[];

/** @throws {ClientError} CONFLICT for a code that cannot be updated; an encrypted one can have aliases */
const requireUnlocked = ({ complianceLocked }: WholeCode): void => {
  if (complianceLocked)
    throw new ClientError('CONFLICT', 'This code is locked for compliance and cannot be updated');
};

interface AliasChange {
  from: NamedAlias | null;
  to: NamedAlias | null;
}

type NamedAlias = Pick<StoredAlias, 'domain' | 'alias'>;

const named = ({ domain, alias }: NamedAlias): NamedAlias => ({ domain, alias });

const emitChange = async (
  tx: Transaction,
  outbox: Outbox,
  code: WholeCode,
  aliases: AliasChange,
): Promise<void> => {
  const after = await touchCode(tx, code);
  await writeHistory(tx, [versionBeside(after, { aliases })]);
  await outbox.emit(tx, [{ type: 'qr.updated', ...aboutCode(after), data: { changedKeys: ['aliases'] } }]);
};

/** @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT, UNPROCESSABLE */
export const addAlias = async (
  tx: Transaction,
  { outbox, claims }: { outbox: Outbox; claims: AliasClaims },
  workspaceId: string,
  codeId: string,
  wanted: CreateAliasBody,
): Promise<{ alias: StoredAlias; changed: ChangedIds }> => {
  const code = await lockCode(tx, workspaceId, codeId);
  requireUnlocked(code);
  await requireRoomOfCode(tx, code.id);
  const { aliases, documents } = await claims.claim(
    tx,
    workspaceId,
    [{ codeId: code.id, wanted }],
    ownFields,
  );
  await emitChange(tx, outbox, code, { from: null, to: named(aliases[0]!) });
  return { alias: aliases[0]!, changed: [code.id, ...documents] };
};

/** @param keys the places in which the alias may be @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT */
export const removeAlias = async (
  tx: Transaction,
  outbox: Outbox,
  workspaceId: string,
  codeId: string,
  { alias, keys }: { alias: string; keys: readonly SlugKey[] },
): Promise<ChangedIds> => {
  const code = await lockCode(tx, workspaceId, codeId);
  requireUnlocked(code);
  await lockSlugs(tx, keys);
  const own = (await findKnown(tx, keys)).filter((known) => known.codeId === code.id && !known.isDeleted);
  // Of several that differ by case, the one that is written so.
  const exact = own.filter((known) => known.alias === alias);
  const meant = exact.length > 0 ? exact : own;
  if (meant.length > 1)
    throw new ClientError(
      'CONFLICT',
      `domain must be given: the code has ${quoted(alias)} in several places`,
    );
  const [found] = meant;
  if (!found) throw new ClientError('NOT_FOUND', `The code has no alias ${quoted(alias)}`);
  await deleteAlias(tx, found.seq);
  const documents = await slugsChanged(tx, [found]);
  await emitChange(tx, outbox, code, { from: named(found), to: null });
  return [code.id, ...documents];
};

/** @param spaces in which the alias may be */
export const keysOf = (alias: string, spaces: readonly string[]): SlugKey[] =>
  spaces.map((space) => ({ space, slug: slugOf(alias) }));
