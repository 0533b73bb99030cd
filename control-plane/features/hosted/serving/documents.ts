/** A rendered page as it is sent: its bytes in each encoding, its entity tag and the policy that belongs to it. */
import { createHash } from 'node:crypto';
import { fillMarker, type PageDocument } from '../page-kind.ts';
import { type Compression, compressWhole, createChoice, gzipAround, type JoinAround } from './encodings.ts';

export interface EncodedBody {
  body: Buffer;
  /** Absent for the document as it is. */
  encoding?: Compression;
}

export interface ServedDocument {
  readonly contentSecurityPolicy: string;
  /** What it takes in memory, with the encodings that may yet be made. */
  readonly bytes: number;
  /** Names the bytes, in whatever encoding they are sent, without quotes. @param fill takes the place of the marker */
  tagOf(fill: string): string;
  /** @param accepted Accept-Encoding */
  bodyOf(accepted: string, fill: string): Promise<EncodedBody>;
}

/** 96 bits. */
const tagLength = 16;

const tagOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('base64url').slice(0, tagLength);
};

/** Each is half of the document at most, or it is not used. */
const encodingsShare = 1;

const chooseForWhole = createChoice('br', 'gzip');
const chooseForFilled = createChoice('gzip');

/** A document that is the same in each answer. */
const createWhole = (html: string): Pick<ServedDocument, 'bytes' | 'bodyOf'> => {
  const bytes = Buffer.from(html);
  const made = new Map<Compression, Promise<EncodedBody>>();

  const make = async (encoding: Compression): Promise<EncodedBody> => {
    const body = await compressWhole(bytes, encoding);
    return body.length < bytes.length ? { body, encoding } : { body: bytes };
  };

  return {
    bytes: Math.ceil(bytes.length * (1 + encodingsShare)),
    async bodyOf(accepted) {
      const encoding = chooseForWhole(accepted);
      if (encoding === 'identity') return { body: bytes };
      const known = made.get(encoding);
      if (known) return known;
      const making = make(encoding);
      made.set(encoding, making);
      return making;
    },
  };
};

/** A document with a part that is other in each answer. Brotli has no way to join parts: such a one comes as gzip or as it is. */
const createFilled = (head: Buffer, tail: Buffer): Pick<ServedDocument, 'bytes' | 'bodyOf'> => {
  let joining: Promise<JoinAround> | undefined;
  return {
    bytes: Math.ceil((head.length + tail.length) * (1 + encodingsShare)),
    async bodyOf(accepted, fill) {
      const filled = Buffer.from(fill);
      if (chooseForFilled(accepted) === 'identity') return { body: Buffer.concat([head, filled, tail]) };
      joining ??= gzipAround(head, tail);
      const join = await joining;
      return { body: join(filled), encoding: 'gzip' };
    },
  };
};

export const createDocument = ({ html, contentSecurityPolicy }: PageDocument): ServedDocument => {
  const tag = tagOf(contentSecurityPolicy, html);
  const at = html.indexOf(fillMarker);
  if (at === -1) return { contentSecurityPolicy, tagOf: () => tag, ...createWhole(html) };
  const [head, tail] = [html.slice(0, at), html.slice(at + fillMarker.length)];
  return {
    contentSecurityPolicy,
    tagOf: (fill) => `${tag}-${tagOf(fill)}`,
    ...createFilled(Buffer.from(head), Buffer.from(tail)),
  };
};
