/** A control plane that also saves each `qr.created` in a table, in the code's transaction. Can be run as a process. */
import { runProcess } from '#shared/lifecycle.ts';
import { features, startControlPlane } from '../../../app.ts';
import type { Feature } from '../../../framework/feature.ts';

export const createdEventsTable =
  'CREATE TABLE created_events (code_id text NOT NULL, process integer NOT NULL)';

const recorder: Feature = {
  name: 'recorder',
  tables: ['created_events'],
  consumers: [
    {
      types: ['qr.created'],
      async accept(tx, events) {
        await tx.query('INSERT INTO created_events SELECT unnest($1::text[]), $2', [
          events.map(({ subject }) => subject.id),
          process.pid,
        ]);
      },
    },
  ],
};

export const recordingFeatures: readonly Feature[] = [...features, recorder];

if (import.meta.main)
  await runProcess('control-plane', (config, logger) => startControlPlane(config, logger, recordingFeatures));
