/** Single items of serialized batches, and the marks on them: recalled, stolen, returned. */
import { createCursors } from '../../../api/http/cursors.ts';
import type { Feature } from '../../../framework/feature.ts';
import { documentKindsOf, documentPublishingOf } from '../../../publishing/feature.ts';
import { itemUrlsOf } from '../feature.ts';
import { createMarkChanger } from './change-marks.ts';
import { markDocumentSource } from './documents.ts';
import { createMarkOperations } from './routes.ts';

export const serializedMarks: Feature = {
  name: 'marks',
  tables: ['serialized_mark_pages', 'serialized_marks'],
  events: ['serialized.item_marked'],
  keyPurposes: ['mark cursor'],
  open(services) {
    const { pool, outbox, keyFor } = services;
    documentKindsOf(services).add(markDocumentSource);
    return {
      operations: createMarkOperations({
        pool,
        cursors: createCursors(keyFor('mark cursor')),
        urls: itemUrlsOf(services),
        changeMarks: createMarkChanger({ pool, outbox, publishing: documentPublishingOf(services) }),
      }),
    };
  },
};
