/**
 * A control plane that stores each event of an item in a table, in the transaction that counts. Runs as its own
 * process.
 */
import { runProcess } from '#shared/lifecycle.ts';
import { features, startControlPlane } from '../../../../app.ts';
import type { Feature } from '../../../../framework/feature.ts';

export const itemEventsTable =
  'CREATE TABLE item_events (seq bigint GENERATED ALWAYS AS IDENTITY, process integer NOT NULL, event json NOT NULL)';

const recorder: Feature = {
  name: 'recorder',
  tables: ['item_events'],
  consumers: [
    {
      types: ['serialized.first_scanned', 'serialized.duplicate_scanned'],
      async accept(tx, events) {
        await tx.query('INSERT INTO item_events (process, event) SELECT $1, unnest($2::json[])', [
          process.pid,
          events.map((event) => JSON.stringify(event)),
        ]);
      },
    },
  ],
};

export const recordingFeatures: readonly Feature[] = [...features, recorder];

if (import.meta.main)
  await runProcess('control-plane', (config, logger) => startControlPlane(config, logger, recordingFeatures));
