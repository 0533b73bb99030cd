/** The health of destinations: checked daily for codes with `healthCheck`, never by a redirector. */
import type { Feature } from '../../framework/feature.ts';
import { healthCheckTask } from './checks.ts';
import { createProbe } from './probe.ts';

export const destinationHealth: Feature = {
  name: 'destination-health',
  tables: ['destination_health', 'health_check_turn'],
  events: ['qr.destination_broken', 'qr.destination_recovered'],
  open: ({ connections, outbox, safeFetch, logger }) => ({
    tasks: [
      healthCheckTask({
        pool: connections.jobs,
        outbox,
        logger,
        probe: createProbe(safeFetch, (message) => logger.debug({ message }, 'a destination is unreachable')),
      }),
    ],
  }),
};
