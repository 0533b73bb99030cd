/**
 * The history of codes. Each change adds a row with what it replaced, in its transaction, and many changes add theirs with one
 * statement. Creations add none: the row of the code has who created it and when.
 */
import { createHash } from 'node:crypto';
import type { Style } from '#schemas/api/style.ts';
import { currentActor, currentKeyId } from '../../../platform/db/actions.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Code, CodeChanges, WholeCode } from './code.ts';

/** Of a code; the oldest goes. */
export const versionsKept = 1_000;
/** Of a code: replaced logos have up to a megabyte each. */
export const logosKept = 5;
/** Of a code; the oldest changes go. */
export const megabytesKept = 4;
/** The bytes of a code are added up after a change that is larger, and after so many smaller ones: between, it may have more. */
const largeBytes = 16_000;
const smallVersions = 16;

/** How each part is kept: a secret only as what became of it, and what follows from other parts not at all. */
const kept: Readonly<Record<keyof CodeChanges, 'value' | 'secret' | 'derived'>> = {
  name: 'value',
  destination: 'value',
  data: 'value',
  status: 'value',
  passwordHash: 'secret',
  expiresAt: 'value',
  maxScans: 'value',
  capEpoch: 'derived',
  routingRules: 'value',
  campaign: 'value',
  deepLinkConfig: 'value',
  messages: 'value',
  routing: 'value',
  style: 'value',
  externalId: 'value',
  metadata: 'value',
  notes: 'value',
  analytics: 'value',
  tagIds: 'value',
  folderId: 'value',
  archived: 'value',
  healthCheck: 'value',
};

export type KeptPart = Exclude<keyof CodeChanges, 'passwordHash' | 'capEpoch'>;
/** Values as JSON has them: a time is a text. */
export type KeptValues = { readonly [Part in KeptPart]?: unknown };

/** A logo as the history shows it. */
export const logoHash = (image: string): string =>
  `sha256:${createHash('sha256').update(image).digest('hex')}`;

const withLogoHash = (style: Style | null | undefined): unknown =>
  style?.image ? { ...style, image: logoHash(style.image) } : style;

const isKept = (part: string, { encryption }: WholeCode): part is KeptPart =>
  kept[part as keyof CodeChanges] === 'value' &&
  // A sealed payload is not copied, although it cannot be changed today.
  !(encryption !== null && (part === 'destination' || part === 'data'));

/** Tags as they were called then: their ids are for a revert. */
export interface KeptTags {
  ids: string;
  names: readonly string[];
}

type Kept = (Pick<WholeCode, KeptPart> | CodeChanges) & Pick<WholeCode, 'tags'>;

const keptValue = (part: KeptPart, from: Kept): unknown => {
  if (part === 'style') return withLogoHash(from.style);
  return part === 'tagIds' ? { ids: from.tagIds, names: from.tags } : from[part];
};

const valuesOf = (parts: readonly KeptPart[], from: Kept): KeptValues =>
  Object.fromEntries(parts.map((part) => [part, keptValue(part, from) ?? null]));

export type PasswordChange = 'set' | 'changed' | 'removed';

const passwordChange = (before: WholeCode, { passwordHash }: CodeChanges): PasswordChange | null => {
  if (passwordHash === undefined) return null;
  if (passwordHash === null) return 'removed';
  return before.passwordProtected ? 'changed' : 'set';
};

interface ReplacedLogo {
  readonly codeId: string;
  readonly hash: string;
  readonly image: string;
}

/** A change as it is written. */
export interface NewVersion {
  readonly codeId: string;
  readonly version: number;
  readonly changedAt: Date;
  readonly parts: readonly KeptPart[];
  /** JSON. */
  readonly before: string;
  readonly after: string;
  readonly password: PasswordChange | null;
  readonly replacedLogo: ReplacedLogo | undefined;
}

/** @param changes the differences between the two, at least one */
export const versionOf = (
  before: WholeCode,
  { id, version, updatedAt, tags }: Code,
  changes: CodeChanges,
): NewVersion => {
  const parts = Object.keys(changes).filter((part) => isKept(part, before)) as KeptPart[];
  const logo = before.style?.image;
  const isReplaced = logo !== undefined && changes.style !== undefined && changes.style?.image !== logo;
  return {
    codeId: id,
    version,
    changedAt: updatedAt,
    parts,
    before: JSON.stringify(valuesOf(parts, before)),
    after: JSON.stringify(valuesOf(parts, { ...changes, tags })),
    password: passwordChange(before, changes),
    replacedLogo: isReplaced ? { codeId: id, hash: logoHash(logo), image: logo } : undefined,
  };
};

/**
 * A change of something that other tables hold of the code, such as an alias: a revert leaves it.
 * @param changed by its name in the API
 */
export const versionBeside = (
  { id, version, updatedAt }: Code,
  changed: Readonly<Record<string, { from: unknown; to: unknown }>>,
): NewVersion => {
  const values = (side: 'from' | 'to'): string =>
    JSON.stringify(Object.fromEntries(Object.entries(changed).map(([field, value]) => [field, value[side]])));
  return {
    codeId: id,
    version,
    changedAt: updatedAt,
    parts: [],
    before: values('from'),
    after: values('to'),
    password: null,
    replacedLogo: undefined,
  };
};

/** Writes the changes of a transaction. @param versions at least one, each of another code */
export const writeHistory = async (tx: Transaction, versions: readonly NewVersion[]): Promise<void> => {
  const actor = currentActor();
  await tx.query({
    name: 'write-code-history',
    text: `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])
          AS given (code_id, version, changed_at, parts, before, after, password)
      ), forgotten AS (
        DELETE FROM code_versions v USING given g WHERE v.code_id = g.code_id AND v.version = g.version - ${versionsKept}
      )
      INSERT INTO code_versions (code_id, version, changed_at, actor, key_id, parts, before, after, password, bytes)
      SELECT code_id, version, changed_at, $8, $9, string_to_array(parts, ','), before::jsonb, after::jsonb, password,
        octet_length(before) + octet_length(after)
      FROM given`,
    values: [
      versions.map(({ codeId }) => codeId),
      versions.map(({ version }) => version),
      versions.map(({ changedAt }) => changedAt.toISOString()),
      versions.map(({ parts }) => parts.join(',')),
      versions.map(({ before }) => before),
      versions.map(({ after }) => after),
      versions.map(({ password }) => password),
      actor?.kind ?? null,
      currentKeyId(),
    ],
  });
  const due = versions.filter(
    ({ version, before, after }) =>
      version % smallVersions === 0 || before.length + after.length > largeBytes,
  );
  if (due.length > 0) await forgetBytes(tx, due);
  const logos = versions.flatMap(({ replacedLogo }) => replacedLogo ?? []);
  if (logos.length > 0) await keepLogos(tx, logos);
};

const forgetBytes = (tx: Transaction, versions: readonly NewVersion[]) =>
  tx.query({
    name: 'forget-bytes-of-history',
    text: `DELETE FROM code_versions v USING (
        SELECT code_id, version, sum(bytes) OVER (PARTITION BY code_id ORDER BY version DESC) AS bytes
        FROM code_versions WHERE code_id = ANY ($1)
      ) AS summed WHERE v.code_id = summed.code_id AND v.version = summed.version AND summed.bytes > ${megabytesKept * 2 ** 20}`,
    values: [versions.map(({ codeId }) => codeId)],
  });

/** Keeps replaced logos for a revert, the latest of each code. */
const keepLogos = async (tx: Transaction, logos: readonly ReplacedLogo[]): Promise<void> => {
  // One by one: a hundred of a megabyte in one statement would hold up the event loop.
  for (const { codeId, hash, image } of logos)
    await tx.query({
      name: 'keep-replaced-logo',
      text: `INSERT INTO code_version_logos (code_id, hash, image) VALUES ($1, $2, $3)
        ON CONFLICT (code_id, hash) DO UPDATE SET replaced_at = clock_timestamp()`,
      values: [codeId, hash, image],
    });
  await tx.query({
    name: 'forget-replaced-logos',
    text: `DELETE FROM code_version_logos l USING (
        SELECT code_id, hash, row_number() OVER (PARTITION BY code_id ORDER BY replaced_at DESC) AS place
        FROM code_version_logos WHERE code_id = ANY ($1)
      ) AS placed WHERE l.code_id = placed.code_id AND l.hash = placed.hash AND placed.place > ${logosKept}`,
    values: [[...new Set(logos.map(({ codeId }) => codeId))]],
  });
};
