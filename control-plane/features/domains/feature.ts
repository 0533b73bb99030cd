/** Custom domains of workspaces, on which redirectors serve their codes. */
import type { Feature } from '../../feature.ts';
import { documentKindsOf } from '../documents/feature.ts';
import { domainDocumentSource } from './documents.ts';

export const domains: Feature = {
  name: 'domains',
  tables: ['domain_names', 'domains'],
  events: ['domain.verified', 'domain.record_missing', 'domain.switched_off'],
  open(services) {
    documentKindsOf(services).add(domainDocumentSource);
    return {};
  },
};
