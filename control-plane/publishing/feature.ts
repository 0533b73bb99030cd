/** Publishing: the one way in which anything reaches the redirectors. Features say which kinds there are. */
import { type Feature, oncePerProcess } from '../framework/feature.ts';
import type { Services } from '../framework/services.ts';
import { createDocumentKinds, type DocumentKinds, type DocumentPublishing } from './documents.ts';
import { createKinds, type PublishedKinds } from './kind.ts';
import { createLookup } from './lookup.ts';
import { createPublisher } from './publisher.ts';
import { createPublishing, type Publishing } from './publishing.ts';
import { publishingVerbs } from './verbs.ts';

export const publisherOf = oncePerProcess(({ redis }) => createPublisher(redis));

/** Takes the published kinds of the features when they open; documents are added to {@link documentKindsOf}. */
export const publishedKindsOf = oncePerProcess((): PublishedKinds => createKinds());

/** Takes the kinds of documents of the features when they open. */
export const documentKindsOf = oncePerProcess(
  (services): DocumentKinds => createDocumentKinds(services.pool, publishedKindsOf(services)),
);

export const publishingOf = oncePerProcess((services): Publishing => {
  const { pool, redis, background, metrics, logger, onClose } = services;
  const publishing = createPublishing({
    pool,
    redis,
    kinds: publishedKindsOf(services),
    publisher: publisherOf(services),
    background,
    logger,
  });
  onClose(() => publishing.close());
  const { statistics } = publishing;
  metrics.gauge('outbox_waiting', 'Changes that wait to be published', () => statistics.waiting);
  metrics.gauge('outbox_set_aside', 'Changes that cannot be published', () => statistics.setAside);
  metrics.gauge(
    'records_rewritten',
    'Records and documents that Redis had lost since it took them',
    () => statistics.rewritten,
  );
  metrics.gauge('record_timeline', 'The timeline that the database is on', () => statistics.timeline);
  return publishing;
});

/** Publishes changed documents after the commit. */
export const documentPublishingOf: (services: Services) => DocumentPublishing = publishingOf;

/** As many ids as a request line has room for. */
const documentsMax = 256;

export const publishing: Feature = {
  name: 'publishing',
  tables: ['unpublished', 'record_timeline'],
  verbs: publishingVerbs,
  open(services) {
    const { background, internalToken } = services;
    publishingOf(services);
    return {
      internalRoutes: [
        createLookup({
          path: '/internal/documents',
          idsMax: documentsMax,
          kinds: documentKindsOf(services).all,
          publisher: publisherOf(services),
          background,
          internalToken,
        }),
      ],
    };
  },
};
