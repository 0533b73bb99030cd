/** Health and metrics of this process. */
import type { Feature } from '../../framework/feature.ts';
import { createHealthOperation, createHealthRouter } from './health.ts';

export const monitoring: Feature = {
  name: 'monitoring',
  open: ({ config, health, metrics }) => ({
    operations: [createHealthOperation(health, config.baseUrl)],
    internalRoutes: [createHealthRouter({ registry: metrics.registry, health })],
  }),
};
