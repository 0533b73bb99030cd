/** The changes that a body makes to the present code: pure functions. Absent, null and a value all differ. */
import type { UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import { mergedMetadata, metadataKeysMax } from '#schemas/api/own-fields.ts';
import { styleKeys } from '#schemas/api/style.ts';
import { tagKey } from '#schemas/api/tags.ts';
import { ClientError } from '#shared/errors.ts';
import { preparePayload } from './payload.ts';
import { routingChanges } from './routing-changes.ts';
import { updatedStyle } from './saved-style.ts';
import type { CodeChanges, WholeCode } from './store/code.ts';

/** What a change needs beside its body. */
export interface Prepared extends Pick<CodeChanges, 'tagIds' | 'folderId'> {
  /** Undefined keeps the password, null removes it. */
  passwordHash?: string | null | undefined;
}

/** Ways to change the status, which encrypted codes have, too. */
const otherWays = {
  active: (id: string) => `; POST /api/qr/codes/${id}/activate switches it on`,
  inactive: (id: string) => `; DELETE /api/qr/codes/${id} switches it off`,
} as const;

/** @throws {ClientError} CONFLICT for a code that cannot be updated */
const requireEditable = (
  { id, encryption, complianceLocked }: WholeCode,
  { status }: UpdateCodeBody,
): void => {
  if (encryption !== null)
    throw new ClientError(
      'CONFLICT',
      `An encrypted code cannot be updated${status ? otherWays[status](id) : ''}`,
    );
  if (complianceLocked)
    throw new ClientError('CONFLICT', 'This code is locked for compliance and cannot be updated');
};

/** Sending the present payload again is not a change: the fields it was made from stay, too. */
const destinationChanges = (code: WholeCode, given: unknown): CodeChanges => {
  if (given === undefined || given === code.destination) return {};
  const { destination, data } = preparePayload('destination', code.dataType, given);
  return { destination, data };
};

/** A new cap gets its own counter; a cap whose number changes keeps counting. */
const capChanges = (code: WholeCode, maxScans: number | null | undefined): CodeChanges => {
  if (maxScans === undefined) return {};
  if (maxScans === null) return { maxScans, capEpoch: null };
  return { maxScans, capEpoch: code.capEpoch ?? code.recordVersion + 1 };
};

/** Only the keys that are sent change. @throws {ClientError} UNPROCESSABLE if there are too many keys then */
const metadataChanges = (code: WholeCode, given: UpdateCodeBody['metadata']): CodeChanges => {
  if (given === undefined) return {};
  const metadata = mergedMetadata(code.metadata, given);
  const keys = Object.keys(metadata ?? {}).length;
  if (keys > metadataKeysMax)
    throw new ClientError(
      'UNPROCESSABLE',
      `metadata must have at most ${metadataKeysMax} fields; it would have ${keys}`,
    );
  return { metadata };
};

/** Tags that were merged since have other ids and the same names. */
const labelChanges = (
  { tags }: WholeCode,
  body: UpdateCodeBody,
  { tagIds, folderId }: Omit<Prepared, 'passwordHash'>,
): CodeChanges => {
  const wanted = new Set(body.tags?.map(tagKey));
  const hasThem = wanted.size === tags.length && tags.every((name) => wanted.has(tagKey(name)));
  return {
    ...(tagIds !== undefined && !hasThem && { tagIds }),
    ...(folderId !== undefined && { folderId }),
  };
};

/**
 * @param body checked, with its `destination` checked by the code's data type
 * @param prepared from the body
 * @throws {ClientError} CONFLICT for encrypted and compliance-locked codes, UNPROCESSABLE naming `destination`
 */
export const codeChangesOf = (
  code: WholeCode,
  body: UpdateCodeBody,
  { passwordHash, ...labels }: Prepared,
  now: Date,
): CodeChanges => {
  requireEditable(code, body);
  const {
    name,
    status,
    archived,
    healthCheck,
    expiresAt,
    campaign,
    routingRules,
    deepLinkConfig,
    messages,
    analytics,
    externalId,
    notes,
  } = body;
  const changes: CodeChanges = {
    ...destinationChanges(code, body.destination),
    ...capChanges(code, body.maxScans),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(archived !== undefined && { archived }),
    ...(healthCheck !== undefined && { healthCheck }),
    ...labelChanges(code, body, labels),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(campaign !== undefined && { campaign }),
    // An empty list means no rules.
    ...(routingRules !== undefined && { routingRules: routingRules?.length ? routingRules : null }),
    ...(deepLinkConfig !== undefined && { deepLinkConfig }),
    ...(messages !== undefined && { messages }),
    ...(externalId !== undefined && { externalId }),
    ...(notes !== undefined && { notes: notes || null }),
    ...metadataChanges(code, body.metadata),
    ...(analytics !== undefined && { analytics: analytics ?? 'full' }),
    ...(styleKeys.some((key) => body[key] !== undefined) && { style: updatedStyle(code.style, body) }),
  };
  return { ...changes, ...routingChanges(code, body, changes, now) };
};

/** Allowed for encrypted codes. @throws {ClientError} CONFLICT for a locked code */
export const activation = ({ complianceLocked, legalHold }: WholeCode): CodeChanges => {
  if (complianceLocked || legalHold)
    throw new ClientError('CONFLICT', 'This code is locked for compliance and cannot be activated');
  return { status: 'active' };
};

/** Allowed for locked and encrypted codes. @throws {ClientError} CONFLICT for a code in legal hold */
export const deactivation = ({ legalHold }: WholeCode): CodeChanges => {
  if (legalHold) throw new ClientError('CONFLICT', 'This code is in legal hold and cannot be deactivated');
  return { status: 'inactive' };
};
