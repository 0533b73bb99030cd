/** Bulk operations: many codes in one call. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { changeBatchOf, codeBatchOf, sameChangeOf } from '../codes/batch/feature.ts';
import { listTurnsOf } from '../codes/lists/turns.ts';
import { createChangeKind } from './change/kind.ts';
import { createChangeOperations } from './change/routes.ts';
import { createKind, validateKind } from './create/kind.ts';
import { bulkRowSchema } from './docs.ts';
import { bulkJobsOf, submitOf } from './engine/engine.ts';
import type { Kind } from './engine/kind.ts';
import { nightlyTask } from './engine/nightly.ts';
import { createResults } from './engine/results.ts';
import { bulkIds } from './engine/store/operations.ts';
import { openGenerate } from './generate/open-generate.ts';
import { createReplaceKind } from './replace/kind.ts';
import { createReplaceOperations } from './replace/routes.ts';
import { createBulkOperations, operationUrl } from './routes.ts';
import { spreadsheetReaderOf } from './upload/open-reader.ts';
import { createUploadOperations } from './upload/routes.ts';

const kindsOf = (services: Services): Kind[] => [
  createKind({ batch: codeBatchOf(services), qrHost: services.config.qrHost }),
  validateKind({ batch: codeBatchOf(services) }),
  createReplaceKind({ batch: changeBatchOf(services), qrHost: services.config.qrHost }),
  createChangeKind({
    pool: services.pool,
    prepareChange: sameChangeOf(services),
    batch: changeBatchOf(services),
    qrHost: services.config.qrHost,
  }),
];

export const bulk: Feature = {
  name: 'bulk',
  tables: ['bulk_operations', 'bulk_rows'],
  ids: [bulkIds],
  keyPurposes: ['bulk-rows', 'bulk rows cursor'],
  open(services) {
    const { config, connections, pool, logger } = services;
    const row = createCodeBodies(config.qrHost).row;
    const common = {
      pool,
      submit: submitOf(services),
      kits: brandKitsOf(services),
      locationOf: operationUrl(config.baseUrl),
    };
    const operations = [
      ...createBulkOperations({
        ...common,
        fetchResult: createResults(pool, services.background),
        rowSchema: bulkRowSchema(row),
      }),
      ...createUploadOperations({ ...common, reader: spreadsheetReaderOf(services), schema: row }),
      ...createReplaceOperations({ ...common, batch: changeBatchOf(services), qrHost: config.qrHost }),
      ...createChangeOperations({
        ...common,
        inTurn: listTurnsOf(services),
        prepareChange: sameChangeOf(services),
        cursors: createTextCursors(services.keyFor('bulk rows cursor')),
        qrHost: config.qrHost,
      }),
    ];
    const generate = openGenerate(services);
    const kinds = [...kindsOf(services), generate.kind];
    return {
      operations: [...operations, ...generate.operations],
      jobKinds: bulkJobsOf(services, kinds),
      tasks: [nightlyTask(connections.jobs, kinds, logger), ...generate.tasks],
    };
  },
};
