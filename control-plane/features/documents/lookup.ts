/** Redirectors ask this plane for the documents that neither they nor Redis hold. */
import Router from '@koa/router';
import { z } from 'zod';
import { serializeUnreadableDocument } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import type { State } from '../../http/context.ts';
import { internalOnly } from '../../http/internal-only.ts';
import { parseQuery } from '../../http/query.ts';
import type { Background } from '../../jobs/background.ts';
import type { DocumentKinds } from './kinds.ts';
import type { DocumentPublisher } from './publisher.ts';

/** As many as a request line has room for. */
const idsMax = 256;

const oneText = z.string().catch('');

/** @throws {ClientError} INVALID_REQUEST */
const idsIn = (querystring: string): string[] => {
  const ids = oneText.parse(parseQuery(querystring).ids).split(',');
  if (ids.length <= idsMax) return ids;
  throw new ClientError('INVALID_REQUEST', `ids must have at most ${idsMax} entries; given: ${ids.length}`);
};

export interface DocumentLookupOptions {
  kinds: DocumentKinds;
  publisher: DocumentPublisher;
  background: Background;
  internalToken: string;
}

/**
 * GET /internal/documents?ids=a,b,c answers a JSON array of serialized documents, in any order; ids that do not exist are absent
 * from it. They are also put into Redis. A document that cannot be made costs the others nothing: the answer has its id alone, so
 * that no redirector takes it for absent.
 */
export const createDocumentLookup = (options: DocumentLookupOptions): Router<State> => {
  const { kinds, publisher, background, internalToken } = options;
  const router = new Router<State>();
  router.get('/internal/documents', internalOnly(internalToken, 'UNAUTHENTICATED'), async (ctx) => {
    ctx.state.route = '/internal/documents';
    const read = [...(await kinds.read(idsIn(ctx.querystring)))];
    const documents = read.flatMap(([, current]) => ('record' in current ? [current.record] : []));
    background.start('putting looked-up documents into Redis', publisher.fill(documents));
    ctx.body = read.map(([id, current]) =>
      'record' in current ? current.record.text : serializeUnreadableDocument(id),
    );
  });
  return router;
};
