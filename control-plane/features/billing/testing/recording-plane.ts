/**
 * A control plane that saves each subscription event in a table, in the transaction that causes it. If run, it is a
 * process of its own.
 */
import { runProcess } from '#shared/lifecycle.ts';
import { features, startControlPlane } from '../../../app.ts';
import type { Feature } from '../../../framework/feature.ts';
import type { Consumer } from '../../../framework/outbox.ts';
import { billing } from '../feature.ts';

export const recordedTable =
  'CREATE TABLE subscription_events (seq bigint GENERATED ALWAYS AS IDENTITY, event json NOT NULL)';

export const recorder: Consumer = {
  types: billing.events ?? [],
  async accept(tx, events) {
    await tx.query('INSERT INTO subscription_events (event) SELECT unnest($1::json[])', [
      events.map((event) => JSON.stringify(event)),
    ]);
  },
};

const recording: Feature = { name: 'recorder', tables: ['subscription_events'], consumers: [recorder] };

export const recordingFeatures: readonly Feature[] = [...features, recording];

if (import.meta.main)
  await runProcess('control-plane', (config, logger) => startControlPlane(config, logger, recordingFeatures));
