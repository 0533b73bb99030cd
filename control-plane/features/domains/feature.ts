/** Custom domains of workspaces, on which redirectors serve their codes. */
import type { Feature } from '../../feature.ts';

export const domains: Feature = {
  name: 'domains',
  events: ['domain.verified', 'domain.record_missing', 'domain.switched_off'],
};
