/** The log of the requests of each workspace. */

import { ClickHouseError } from '@clickhouse/client';
import type { Middleware } from '../../api/http/context.ts';
import { createTextCursors } from '../../api/http/cursors.ts';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { createNotes } from './note.ts';
import { createRecorder, rowEnds } from './recorder.ts';
import { createRequestLogOperations } from './routes.ts';
import { insertRows } from './store.ts';

/** Sees every answered request of the API. */
export const requestLogOf = oncePerProcess((services): Middleware => {
  const { clickhouse, clientAddress, logger, metrics, onClose } = services;
  const recorder = createRecorder({
    insert: (name, rows) => insertRows(clickhouse, name, rows),
    isRefusal: (error) => error instanceof ClickHouseError,
    onEnded: metrics.counter(
      'request_log_rows_total',
      'Rows of the log of requests, by what became of them',
      'how',
      rowEnds,
    ),
    logger,
  });
  metrics.gauge('request_log_rows_waiting', 'Rows of the log of requests in memory', recorder.waiting);
  onClose(() => recorder.close());
  return createNotes(recorder, clientAddress);
});

export const requestLog: Feature = {
  name: 'request-log',
  keyPurposes: ['request log cursor'],
  open: ({ clickhouse, keyFor }) => ({
    operations: createRequestLogOperations({
      clickhouse,
      cursors: createTextCursors(keyFor('request log cursor')),
    }),
  }),
};
