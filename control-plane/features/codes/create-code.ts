/** Creates a dynamic code, for each of the operations that do. */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import type { Style } from '#schemas/api/style.ts';
import type { CodeIds } from '#shared/ids.ts';
import type { Create } from '../../creation/creation-request.ts';
import type { Reply } from '../../http/operation.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { toCodeObject, withWarnings } from './code-object.ts';
import { requireFuture } from './expiry.ts';
import { createNewCodeBuilder } from './new-code.ts';
import type { Passwords } from './protection/passwords.ts';
import type { Seal } from './protection/seal.ts';
import type { Publishing } from './publishing/publishing.ts';
import { newStyle } from './saved-style.ts';
import { createCode } from './store/write.ts';

/**
 * Draws the picture that a style gives the code with this id.
 * @returns warnings about a style that is read, and yet is not good
 * @throws {ClientError} UNPROCESSABLE naming the field of the style that cannot be drawn or read
 */
export type ProveStyle = (
  code: { id: string; workspaceId: string },
  style: Style,
) => Promise<readonly string[]>;

export interface CodeCreationOptions {
  ids: CodeIds;
  passwords: Passwords;
  seal: Seal;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  outbox: Outbox;
  publishing: Pick<Publishing, 'publishCreated'>;
  baseUrl: string;
  qrHost: string;
}

export type CreateDynamicCode = (workspaceId: string, body: CreateCodeBody, create: Create) => Promise<Reply>;

export const createCodeCreation = (options: CodeCreationOptions): CreateDynamicCode => {
  const { ids, passwords, seal, kits, prove, outbox, publishing, baseUrl, qrHost } = options;
  const buildNewCode = createNewCodeBuilder(passwords, seal);

  /** @returns the row to store, the id whose picture has been proven, and the warnings of the proof */
  const prepareCode = async (workspaceId: string, body: CreateCodeBody) => {
    const now = new Date();
    requireFuture('expiry', body.expiry, now);
    requireFuture('expiresAt', body.expiresAt, now);
    if (body.brandKitId !== undefined) await kits.applicable(workspaceId, body.brandKitId);
    const code = await buildNewCode(workspaceId, body);
    const id = ids.create();
    // Black on white needs no proof.
    const warnings = code.style ? await prove({ id, workspaceId }, code.style) : [];
    return { code, id, warnings };
  };

  return (workspaceId, body, create) =>
    create({
      isLong: takesLong(body),
      prepare: () => prepareCode(workspaceId, body),
      async effect(tx, { code: prepared, id, warnings }, afterCommit) {
        const candidates = [id];
        const code = await createCode(tx, outbox, () => candidates.pop() ?? ids.create(), prepared);
        afterCommit(() => publishing.publishCreated(code));
        return {
          status: 201,
          headers: { location: `${baseUrl}/api/qr/codes/${code.id}` },
          body: withWarnings(toCodeObject(code, 0, qrHost), warnings),
        };
      },
    });
};

/** Hashing a password, sealing a payload and drawing a picture take long; everything else is a moment's work. */
const takesLong = (body: CreateCodeBody): boolean =>
  body.password !== undefined || body.encryption !== undefined || newStyle(body) !== null;
