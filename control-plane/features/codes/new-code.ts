/** Turns the body of a create into the row to store. The slow parts, hashing and sealing, happen here. */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { mergedMetadata } from '#schemas/api/own-fields.ts';
import { ClientError } from '#shared/errors.ts';
import { type Payload, preparePayload } from './payload.ts';
import type { Passwords } from './protection/passwords.ts';
import type { Seal } from './protection/seal.ts';
import { isEmpty, newRouting } from './routing-changes.ts';
import { newStyle } from './saved-style.ts';
import { firstVersion, type NewCode } from './store/code.ts';

/** Fields that would show a sealed code's plain destinations to every reader of the database, and that no scan uses. */
const openFields = [
  'routingRules',
  'campaign',
  'deepLinkConfig',
  'schedule',
  'forwardQuery',
  'parameters',
  'scanIdParameter',
] as const;

const requireSealable = (body: CreateCodeBody): void => {
  const open = openFields.find((field) => !isEmpty(body[field]));
  if (body.encryption && open)
    throw new ClientError('UNPROCESSABLE', `${open} must not be given for an encrypted code`);
};

/**
 * @returns a function that throws ClientError UNPROCESSABLE naming a field, or RATE_LIMITED or UNAVAILABLE if too many
 * codes of this workspace, or of all together, are being hashed or sealed
 */
export const createNewCodeBuilder = (passwords: Pick<Passwords, 'hash'>, seal: Seal) => {
  /** The fields of a sealed payload are as secret as the payload, and are not stored. */
  const sealed = async (
    payload: Payload,
    encryption: CreateCodeBody['encryption'],
    workspaceId: string,
  ): Promise<Payload> =>
    encryption
      ? { destination: await seal(payload.destination, encryption, workspaceId), data: null }
      : payload;

  return async (workspaceId: string, body: CreateCodeBody): Promise<NewCode> => {
    requireSealable(body);
    const { dataType, name, password, encryption, maxScans } = body;
    const expiresAt = body.expiry ?? body.expiresAt ?? null;
    const payload = preparePayload('data', dataType, body.data);
    return {
      workspaceId,
      dataType,
      name: name ?? null,
      ...(await sealed(payload, encryption, workspaceId)),
      encryption: encryption?.type ?? null,
      passwordHash: password === undefined ? null : await passwords.hash(password, workspaceId),
      expiresAt,
      maxScans: maxScans ?? null,
      capEpoch: maxScans == null ? null : firstVersion,
      sources: body.sources?.length ? body.sources : null,
      routingRules: body.routingRules?.length ? body.routingRules : null,
      campaign: body.campaign ?? null,
      deepLinkConfig: body.deepLinkConfig ?? null,
      messages: body.messages ?? null,
      externalId: body.externalId ?? null,
      metadata: mergedMetadata(null, body.metadata ?? null),
      notes: body.notes || null,
      routing: newRouting(body, expiresAt, new Date()),
      analytics: body.analytics ?? 'full',
      archived: body.archived ?? false,
      healthCheck: body.healthCheck ?? false,
      style: newStyle(body),
    };
  };
};
