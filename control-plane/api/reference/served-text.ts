/** A text that is the same in every answer: compressed when it is first asked for, and known by strong entity tags. */
import { createHash } from 'node:crypto';
import { type Compression, createChoice } from '#shared/accept-encoding.ts';
import { listsTag } from '#shared/entity-tags.ts';
import { compressWhole } from '../http/compress-whole.ts';
import type { PublicRequest, Reply } from '../http/operation.ts';
import { once } from './once.ts';

const choose = createChoice('br', 'gzip');

export interface ServedText {
  /** Names the bytes. */
  readonly hash: string;
  /** 304 if the client has it. */
  answer(request: Pick<PublicRequest<unknown, unknown>, 'header'>): Promise<Reply>;
}

/** @param headers of every answer, also of a 304 */
export const createServedText = (
  text: string,
  { 'content-type': type, ...headers }: Readonly<Record<string, string>> & { 'content-type': string },
): ServedText => {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const compressed = {
    br: once(() => compressWhole(bytes, 'br', 'once')),
    gzip: once(() => compressWhole(bytes, 'gzip', 'once')),
  } satisfies Record<Compression, () => Promise<Buffer>>;
  return {
    hash,
    async answer({ header }) {
      const encoding = choose(header('accept-encoding'));
      // A strong tag names the bytes that are sent, so each encoding has its own (RFC 9110, section 8.8.3.3).
      const etag = `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
      const all = { vary: 'Accept-Encoding', ...headers, etag };
      const known = header('if-none-match');
      if (known !== '' && listsTag(known, etag, true)) return { status: 304, headers: all };
      return {
        headers: {
          ...all,
          'content-type': type,
          ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        },
        parts: [encoding === 'identity' ? bytes : await compressed[encoding]()],
      };
    },
  };
};
