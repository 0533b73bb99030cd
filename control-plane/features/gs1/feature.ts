/** The GS1 resolver: links at GS1 primary keys and below them. Redirectors answer the Digital Links. */

import { createCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import { scanCountsOf } from '../codes/analytics/shared-scan-counts.ts';
import { gs1DocumentSource } from './documents.ts';
import { createGs1Operations } from './routes.ts';
import { entryIds } from './store.ts';
import { gs1Verbs } from './verbs.ts';

export const gs1: Feature = {
  name: 'gs1',
  tables: ['gs1_keys', 'gs1_entries'],
  ids: [entryIds],
  keyPurposes: ['gs1 cursor'],
  verbs: gs1Verbs,
  open(services) {
    const { pool, clickhouse, config, keyFor } = services;
    documentKindsOf(services).add(gs1DocumentSource);
    return {
      operations: createGs1Operations({
        pool,
        clickhouse,
        scanCounts: scanCountsOf(services),
        publishing: documentPublishingOf(services),
        cursors: createCursors(keyFor('gs1 cursor')),
        qrHost: config.qrHost,
      }),
    };
  },
};
