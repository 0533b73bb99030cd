/** The GS1 resolver: links at GS1 primary keys and below them. Redirectors answer the Digital Links. */
import type { Feature } from '../../feature.ts';
import { documentKindsOf } from '../documents/feature.ts';
import { gs1DocumentSource } from './documents.ts';

export const gs1: Feature = {
  name: 'gs1',
  tables: ['gs1_keys', 'gs1_entries'],
  open(services) {
    documentKindsOf(services).add(gs1DocumentSource);
    return {};
  },
};
