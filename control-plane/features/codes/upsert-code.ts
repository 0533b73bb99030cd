/** Creates the code with an external id, or updates it if it exists. */
import { isDeepStrictEqual } from 'node:util';
import type { UpdateCodeBody, UpsertCodeBody } from '#schemas/api/code-bodies.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { Reply } from '../../api/http/operation.ts';
import type { Create } from '../../api/idempotency/request.ts';
import { OvertakenError, retryWhenOvertaken } from '../../platform/db/overtaken.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { CodeEditor, UpdatedCode } from './change-code.ts';
import type { CreateDynamicCode } from './create-code.ts';
import { requireFuture } from './expiry.ts';
import { preparePayload } from './payload.ts';
import type { Precondition } from './preconditions.ts';
import { type Update, updateBy } from './prepare-change.ts';
import type { WholeCode } from './store/code.ts';
import { findByExternalIds } from './store/external-ids.ts';

export interface UpsertOptions {
  pool: Pool;
  editor: Pick<CodeEditor, 'update'>;
  createDynamicCode: CreateDynamicCode;
}

export interface Upsert {
  principal: Principal;
  body: UpsertCodeBody;
  create: Create;
  /** Undefined if the request has no `If-Match`. A code that does not exist meets none. */
  expect: Precondition | undefined;
  /** Whether an update is undone; `create` knows it itself. */
  dryRun: boolean;
}

/** @returns the answer of the create, or the updated code */
export type UpsertCode = (upsert: Upsert) => Promise<{ created: Reply } | { updated: UpdatedCode }>;

/** @throws {ClientError} CONFLICT for what a code never changes */
const requireSame = (current: WholeCode, { dataType, encryption, sources }: UpsertCodeBody): void => {
  const refuse = (why: string) => {
    throw new ClientError('CONFLICT', `${why}; the code with this externalId is ${current.id}`);
  };
  if (dataType !== current.dataType)
    refuse(`dataType must be ${current.dataType}: the dataType of a code never changes`);
  if (encryption && !current.encryption)
    refuse('encryption must not be given: a code is encrypted when it is created, or never');
  if (sources && !isDeepStrictEqual(sources, current.sources ?? []))
    refuse('sources must be those of the code: the sources of a code never change');
};

/** The fields of a create as those of an update. */
const updateOf = (body: UpsertCodeBody): UpdateCodeBody => {
  const {
    data,
    dataType: _type,
    secure: _kinds,
    encryption: _key,
    sources: _sources,
    expiry,
    ...same
  } = body;
  return { ...same, destination: data, ...(expiry !== undefined && { expiresAt: expiry }) };
};

const toUpdate = (body: UpsertCodeBody): Update => {
  // Here, since later refusals would name other fields.
  requireFuture('expiry', body.expiry, new Date());
  preparePayload('data', body.dataType, body.data);
  const update = updateBy(updateOf(body));
  return {
    ...update,
    of(current) {
      if (current.externalId !== body.externalId) throw new OvertakenError();
      requireSame(current, body);
      return update.of(current);
    },
  };
};

const missing = (): ClientError =>
  new ClientError('PRECONDITION_FAILED', 'There is no code with this externalId yet: If-Match names none');

/** An external id that another request took or gave up meanwhile is looked up again. */
const orOvertaken = (error: unknown): never => {
  throw error instanceof ClientError && error.code === 'EXTERNAL_ID_TAKEN' ? new OvertakenError() : error;
};

export const createUpsert =
  ({ pool, editor, createDynamicCode }: UpsertOptions): UpsertCode =>
  ({ principal, body, create, expect, dryRun }) =>
    retryWhenOvertaken('code', async () => {
      const { externalId } = body;
      const id = (await findByExternalIds(pool, principal.workspaceId, [externalId])).get(externalId);
      if (id !== undefined) {
        const update = toUpdate(body);
        return { updated: await editor.update(principal.workspaceId, id, update, expect, dryRun) };
      }
      if (expect) throw missing();
      return { created: await createDynamicCode(principal, body, create).catch(orOvertaken) };
    });
