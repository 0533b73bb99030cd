/** Creates a dynamic code, for each operation that does. */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { Reply } from '../../api/http/operation.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import type { Create } from '../../api/idempotency/request.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { toCodeObject } from './code-object.ts';
import { etagOf } from './preconditions.ts';
import { type CodePreparationOptions, createCodePreparation } from './prepare-code.ts';
import type { CodePublishing } from './publishing.ts';
import { newStyle } from './saved-style.ts';
import { createCodes } from './store/create.ts';

export interface CodeCreationOptions extends CodePreparationOptions {
  outbox: Outbox;
  publishing: Pick<CodePublishing, 'publishCreated'>;
  baseUrl: string;
  qrHost: string;
}

/** @param principal the creator */
export type CreateDynamicCode = (
  principal: Pick<Principal, 'workspaceId' | 'keyId'>,
  body: CreateCodeBody,
  create: Create,
) => Promise<Reply>;

export const createCodeCreation = (options: CodeCreationOptions): CreateDynamicCode => {
  const { ids, outbox, publishing, baseUrl, qrHost } = options;
  const prepareCode = createCodePreparation(options);

  return ({ workspaceId, keyId }, body, create) =>
    create({
      isLong: takesLong(body),
      prepare: () => prepareCode(workspaceId, body),
      async effect(tx, { code: prepared, warnings }, afterCommit) {
        const [code] = await createCodes(tx, outbox, [{ ...prepared, createdBy: keyId }], ids.create);
        afterCommit(() => publishing.publishCreated([code!]));
        return {
          status: 201,
          headers: { location: `${baseUrl}/api/qr/codes/${code!.id}`, etag: etagOf(code!) },
          body: withWarnings(toCodeObject(code!, 0, qrHost), warnings),
        };
      },
    });
};

/**
 * Hashing a password, sealing a payload and drawing a picture are slow; everything else is fast. Tags are made, and folders
 * looked up, on another connection than that of the create.
 */
const takesLong = (body: CreateCodeBody): boolean =>
  body.password !== undefined ||
  body.encryption !== undefined ||
  newStyle(body) !== null ||
  body.folderId != null ||
  Boolean(body.tags?.length);
