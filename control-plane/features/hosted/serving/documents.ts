/** A rendered page as it is sent: its bytes, its entity tag and the headers that belong to it. */
import { createHash } from 'node:crypto';
import { fillMarker, type PageDocument } from '../page-kind.ts';

export interface ServedDocument {
  /** Without quotes. */
  tag: string;
  contentSecurityPolicy: string;
  /** The bytes before the fill, and those after it; where there is none, all are before it. */
  head: Buffer;
  tail: Buffer | undefined;
}

const tagBytes = 12;

/** Names bytes: the same bytes have the same tag on every plane. */
export const tagOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, (tagBytes * 4) / 3);
};

export const createDocument = ({ html, contentSecurityPolicy }: PageDocument): ServedDocument => {
  const at = html.indexOf(fillMarker);
  const head = at === -1 ? html : html.slice(0, at);
  const tail = at === -1 ? undefined : Buffer.from(html.slice(at + fillMarker.length));
  return { tag: tagOf(contentSecurityPolicy, html), contentSecurityPolicy, head: Buffer.from(head), tail };
};

/** What it takes in memory. */
export const documentBytes = ({ head, tail }: ServedDocument): number => head.length + (tail?.length ?? 0);
