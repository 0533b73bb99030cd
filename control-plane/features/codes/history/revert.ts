/** Reverts a code: it gets the configuration of an earlier version, as a new version. */
import type { createCodeBodies, UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import type { RoutingExtras } from '#schemas/api/code-routing.ts';
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { OvertakenError, retryWhenOvertaken } from '../../../platform/db/overtaken.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { isFolder } from '../../folders/store.ts';
import { liveTagsOf } from '../../tags/store.ts';
import { codeChangesOf } from '../code-changes.ts';
import type { Precondition } from '../preconditions.ts';
import type { ChangePreparationOptions } from '../prepare-change.ts';
import { requireOrder } from '../routing-changes.ts';
import type { CodeChanges, WholeCode } from '../store/code.ts';
import { findWholeCode } from '../store/find.ts';
import { type KeptPart, type KeptTags, type KeptValues, logoHash } from '../store/history.ts';
import { updateCode } from '../store/write.ts';
import { findReplacedLogo, readSince } from './store.ts';

export interface RevertOptions {
  pool: Pool;
  outbox: Outbox;
  destinationOf: ChangePreparationOptions['destinationOf'];
  /** The body of an update. */
  update: ReturnType<typeof createCodeBodies>['update'];
  /** @throws {ClientError} DESTINATION_BLOCKED naming the field */
  requireAllowed(values: unknown, workspaceId: string): Promise<void>;
}

export interface RevertedCode {
  code: WholeCode;
  /** Fields that were different then, and stay as they are. */
  notRestored: string[];
}

/** @throws {ClientError} NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED, CONFLICT as for an update, UNPROCESSABLE naming `version` or a field */
export type RevertCode = (
  workspaceId: string,
  id: string,
  version: number,
  expect: Precondition,
) => Promise<RevertedCode>;

interface Earlier {
  values: KeptValues;
  notRestored: string[];
}

const unknownVersion = (code: WholeCode): ClientError =>
  new ClientError('UNPROCESSABLE', `version must be a version of this code: from 1 to ${code.version}`);

const forgottenVersion = (version: number): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `version must be one whose later changes are all in the history; those since ${version} are not`,
  );

/** The style of then, with its logo in place of the hash. @returns undefined if the logo is no longer kept */
const styleOf = async (
  pool: Pool,
  code: WholeCode,
  style: Style | null,
): Promise<Style | null | undefined> => {
  const hash = style?.image;
  if (hash === undefined) return style;
  const current = code.style?.image;
  const isCurrent = current !== undefined && logoHash(current) === hash;
  const image = isCurrent ? current : await findReplacedLogo(pool, code.id, hash);
  return image === undefined ? undefined : { ...style, image };
};

const readEarlier = async (pool: Pool, code: WholeCode, version: number): Promise<Earlier> => {
  if (version > code.version) throw unknownVersion(code);
  const { known, passwordChanged, values } = await readSince(pool, code.id, version);
  if (known !== code.version - version) throw forgottenVersion(version);
  const notRestored = passwordChanged ? ['password'] : [];
  const { style, expiresAt, tagIds, folderId, ...others } = values;
  const restored: Record<string, unknown> = others;
  if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now()) notRestored.push('expiresAt');
  else if (expiresAt !== undefined)
    restored.expiresAt = expiresAt === null ? null : new Date(expiresAt as string);
  if (tagIds !== undefined) {
    const live = await liveTagsOf(pool, code.workspaceId, (tagIds as KeptTags).ids);
    restored.tagIds = live.ids;
    if (!live.isWhole) notRestored.push('tags');
  }
  if (typeof folderId === 'string' && !(await isFolder(pool, code.workspaceId, folderId)))
    notRestored.push('folderId');
  else if (folderId !== undefined) restored.folderId = folderId;
  if (style !== undefined) {
    const whole = await styleOf(pool, code, style as Style | null);
    if (whole === undefined) notRestored.push('style');
    else restored.style = whole;
  }
  return { values: restored, notRestored };
};

/** A cap that comes back is counted as an update counts it. */
const changesOf = (code: WholeCode, { maxScans, ...values }: KeptValues): CodeChanges => ({
  ...(values as CodeChanges),
  ...codeChangesOf(code, (maxScans === undefined ? {} : { maxScans }) as UpdateCodeBody, {}, new Date()),
});

/** The parts that a body of an update has under the same names. */
const bodyParts = [
  'name',
  'routingRules',
  'campaign',
  'deepLinkConfig',
  'messages',
  'externalId',
  'metadata',
  'notes',
] as const satisfies readonly KeptPart[];

/** What an update would have to send for the earlier values. */
const bodyOf = ({ routing, ...values }: KeptValues): object => ({
  ...Object.fromEntries(
    bodyParts.flatMap((part) => (values[part] === undefined ? [] : [[part, values[part]]])),
  ),
  ...(routing as RoutingExtras | null | undefined),
});

export const createRevert = ({
  pool,
  outbox,
  destinationOf,
  update,
  requireAllowed,
}: RevertOptions): RevertCode => {
  /** What was allowed then may not be allowed now. @throws {ClientError} as an update does */
  const check = (current: WholeCode, values: KeptValues, changes: CodeChanges): void => {
    const { destination, data } = values;
    if (destination !== undefined && !data)
      validateBody(destinationOf(current.dataType, destination), { destination });
    validateBody(update, bodyOf(values));
    const { routing = current.routing, expiresAt = current.expiresAt } = changes;
    requireOrder(routing ?? null, expiresAt);
  };

  return (workspaceId, id, version, expect) =>
    retryWhenOvertaken('code', async () => {
      const seen = await findWholeCode(pool, workspaceId, id);
      // It holds for the code that is changed, too: that has this version, or all of this is done again.
      expect(seen);
      const { values, notRestored } = await readEarlier(pool, seen, version);
      await requireAllowed(values, workspaceId);
      const code = await updateCode(pool, outbox, workspaceId, id, (current) => {
        if (current.version !== seen.version) throw new OvertakenError();
        const changes = changesOf(current, values);
        check(current, values, changes);
        return changes;
      });
      return { code, notRestored };
    });
};
