/** Creates a dynamic code, for each operation that does. */

import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { aliasUrl } from '#shared/redirect-url.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { Reply } from '../../api/http/operation.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import type { Create } from '../../api/idempotency/request.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import type { AliasClaims } from './aliases/claim.ts';
import { fieldsOfCode, wantedAliasOf } from './aliases/targets.ts';
import { toCodeObject } from './code-object.ts';
import { etagOf } from './preconditions.ts';
import { type CodePreparationOptions, createCodePreparation } from './prepare-code.ts';
import type { CodePublishing } from './publishing.ts';
import { newStyle } from './saved-style.ts';
import { createCodes } from './store/create.ts';
import { whyNoCode } from './store/key-domains.ts';

export interface CodeCreationOptions extends CodePreparationOptions {
  outbox: Outbox;
  publishing: Pick<CodePublishing, 'publishCreated'>;
  pool: Pool;
  claims: AliasClaims;
  documentPublishing: DocumentPublishing;
  baseUrl: string;
  qrHost: string;
}

/** @param principal the creator */
export type CreateDynamicCode = (
  principal: Pick<Principal, 'workspaceId' | 'keyId' | 'domains'>,
  body: CreateCodeBody,
  create: Create,
) => Promise<Reply>;

export const createCodeCreation = (options: CodeCreationOptions): CreateDynamicCode => {
  const { ids, outbox, publishing, claims, documentPublishing, baseUrl, qrHost } = options;
  const prepareCode = createCodePreparation(options);
  const sharedHost = new URL(qrHost).hostname;

  const requireHost = async (workspaceId: string): Promise<void> => {
    const refusal = await whyNoCode(options.pool, workspaceId, sharedHost);
    if (refusal) throw refusal;
  };

  const requireAlias = async (body: CreateCodeBody, workspaceId: string): Promise<void> => {
    const wanted = wantedAliasOf(body);
    const [refusal] = wanted ? await claims.check(options.pool, workspaceId, [wanted], fieldsOfCode) : [];
    if (refusal) throw refusal;
  };

  return ({ workspaceId, keyId, domains }, body, create) =>
    create({
      isLong: domains !== null || takesLong(body),
      async prepare(dryRun) {
        // Before a picture is drawn in vain.
        if (domains) await requireHost(workspaceId);
        await requireAlias(body, workspaceId);
        return prepareCode(workspaceId, body, dryRun);
      },
      async effect(tx, { code: prepared, warnings, alias }, afterCommit) {
        const made = [{ ...prepared, createdBy: keyId }];
        const [code] = await createCodes(tx, outbox, made, ids.create, sharedHost);
        noteSubject({ resourceId: code!.id });
        const wanted = alias ? [{ codeId: code!.id, wanted: alias }] : [];
        const { aliases, documents } = await claims.claim(tx, workspaceId, wanted, fieldsOfCode);
        afterCommit(async () => {
          await Promise.all([publishing.publishCreated([code!]), documentPublishing.publish(documents)]);
        });
        const urls = aliases.map((each) => aliasUrl(qrHost, each));
        const object = { ...toCodeObject(code!, 0, qrHost), ...(urls.length > 0 && { aliases: urls }) };
        return {
          status: 201,
          headers: { location: `${baseUrl}/api/qr/codes/${code!.id}`, etag: etagOf(code!) },
          body: withWarnings(object, warnings),
        };
      },
    });
};

/**
 * Hashing a password, sealing a payload and drawing a picture are slow; everything else is fast. Tags are made, and folders, aliases
 * and the domains of a key looked up, on another connection than that of the create: if all connections were held by creates,
 * none of them would get a second one.
 */
const takesLong = (body: CreateCodeBody): boolean =>
  body.password !== undefined ||
  body.encryption !== undefined ||
  wantedAliasOf(body) !== undefined ||
  newStyle(body) !== null ||
  body.folderId != null ||
  Boolean(body.tags?.length);
