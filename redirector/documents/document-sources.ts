/** The two sources of documents: Redis, which has most of them, and the control plane, which has the truth. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { timelineKey } from '#schemas/code-record.ts';
import {
  type DocumentKind,
  documentKey,
  parseDocument,
  UnreadableDocumentError,
  type Versioned,
} from '#schemas/documents.ts';
import type { Redis } from '#shared/redis.ts';
import { type Found, type RecordSource, toTimeline } from '../codes/record-sources.ts';

/** Reads each text by itself: one that cannot be read costs no other id its document. */
const read = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  texts: readonly { id?: string; text: string }[],
): Pick<Found<Body>, 'records' | 'unreadable'> => {
  const records = new Map<string, Body>();
  const unreadable: UnreadableDocumentError[] = [];
  for (const { id, text } of texts) {
    try {
      const document = parseDocument(kind, text);
      records.set(document.id, document);
    } catch (error) {
      if (!(error instanceof UnreadableDocumentError)) throw error;
      unreadable.push(id === undefined ? error : new UnreadableDocumentError(error.message, id));
    }
  }
  return { records, unreadable };
};

export const createRedisDocuments = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  redis: Redis,
): RecordSource<Body> => ({
  name: 'redis',
  async fetch(ids) {
    const [timeline, ...texts] = await redis.mget(timelineKey, ...ids.map(documentKey));
    const present = ids.flatMap((id, index) => {
      const text = texts[index];
      return typeof text === 'string' ? [{ id, text }] : [];
    });
    return { ...read(kind, present), timeline: toTimeline(timeline) };
  },
});

const serializedDocuments = z.array(z.string());

/** The control plane's internal lookup, which also puts what it finds into Redis. @param timeoutMs of one question */
export const createControlPlaneDocuments = <Body extends Versioned>(
  kind: DocumentKind<Body>,
  internalUrl: string,
  token: string,
  timeoutMs: number,
  dispatcher: Dispatcher,
): RecordSource<Body> => ({
  name: 'control-plane',
  async fetch(ids) {
    const { statusCode, body } = await request(
      `${internalUrl}/internal/documents?ids=${ids.map(encodeURIComponent).join(',')}`,
      {
        dispatcher,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      },
    );
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the control plane answered ${statusCode} to a lookup of documents`);
    }
    const texts = serializedDocuments.parse(await body.json());
    return {
      ...read(
        kind,
        texts.map((text) => ({ text })),
      ),
      timeline: 0,
    };
  },
});
