/** Documents: what redirectors hold beside the records of codes. Other features say which kinds there are. */
import { type Feature, oncePerProcess } from '../../feature.ts';
import { createDocumentKinds, type DocumentKinds } from './kinds.ts';
import { createDocumentLookup } from './lookup.ts';
import { createDocumentPublisher } from './publisher.ts';
import { createDocumentPublishing, type DocumentPublishing } from './publishing.ts';

const publisherOf = oncePerProcess(({ redis }) => createDocumentPublisher(redis));

/** To which a feature adds its kinds, when it opens. */
export const documentKindsOf = oncePerProcess(({ pool }): DocumentKinds => createDocumentKinds(pool));

export const documentPublishingOf = oncePerProcess((services): DocumentPublishing => {
  const { pool, redis, background, metrics, logger, onClose } = services;
  const publishing = createDocumentPublishing({
    pool,
    redis,
    kinds: documentKindsOf(services),
    publisher: publisherOf(services),
    background,
    logger,
  });
  onClose(() => publishing.close());
  const { statistics } = publishing;
  metrics.gauge('documents_waiting', 'Changed documents that wait to be published', () => statistics.waiting);
  metrics.gauge('documents_set_aside', 'Documents that cannot be published', () => statistics.setAside);
  return publishing;
});

export const documents: Feature = {
  name: 'documents',
  tables: ['unpublished_documents'],
  open(services) {
    const { background, internalToken } = services;
    documentPublishingOf(services);
    return {
      internalRoutes: [
        createDocumentLookup({
          kinds: documentKindsOf(services),
          publisher: publisherOf(services),
          background,
          internalToken,
        }),
      ],
    };
  },
};
