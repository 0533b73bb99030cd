/** The held documents, and the sources that they come from, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { OpenDocuments } from './open-documents.ts';

type Counted = 'hits' | 'misses' | 'size' | 'bytes';

const labels: Record<keyof OpenDocuments, string> = {
  batches: 'batch',
  gs1: 'gs1',
  domains: 'domain',
  workspaces: 'workspace',
};
const kinds = Object.keys(labels) as (keyof OpenDocuments)[];

const byKind = (documents: OpenDocuments, what: Counted) => (): Record<string, number> => {
  const of = (store: OpenDocuments[keyof OpenDocuments]): number =>
    what === 'size' || what === 'bytes' ? store[what] : store.statistics[what];
  return Object.fromEntries(kinds.map((kind) => [labels[kind], of(documents[kind])]));
};

export const documentMetrics = (documents: OpenDocuments): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'document_hits_total',
    help: 'Documents found in memory',
    value: byKind(documents, 'hits'),
    label: 'kind',
  },
  {
    type: 'counter',
    name: 'document_misses_total',
    help: 'Documents not found in memory, or too old',
    value: byKind(documents, 'misses'),
    label: 'kind',
  },
  {
    type: 'gauge',
    name: 'documents',
    help: 'Documents held in memory',
    value: byKind(documents, 'size'),
    label: 'kind',
  },
  {
    type: 'gauge',
    name: 'document_bytes',
    help: 'Heap of held documents, as estimated',
    value: byKind(documents, 'bytes'),
    label: 'kind',
  },
];
