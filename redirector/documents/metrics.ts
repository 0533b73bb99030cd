/** The held documents, and the sources that they come from, for Prometheus. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import type { OpenDocuments } from './open-documents.ts';

type Counted = 'hits' | 'misses' | 'size' | 'bytes';

const labels: Record<keyof OpenDocuments, string> = {
  batches: 'batch',
  marks: 'marks',
  gs1: 'gs1',
  domains: 'domain',
  workspaces: 'workspace',
  brands: 'brand',
  pages: 'page',
  aliases: 'alias',
};
const kinds = Object.keys(labels) as (keyof OpenDocuments)[];

const byKind = (documents: OpenDocuments, what: Counted) => (): Record<string, number> => {
  const of = (store: OpenDocuments[keyof OpenDocuments]): number =>
    what === 'size' || what === 'bytes' ? store[what] : store.statistics[what];
  return Object.fromEntries(kinds.map((kind) => [labels[kind], of(documents[kind])]));
};

export const documentMetrics = (documents: OpenDocuments): MetricDefinition[] => [
  counter('document_hits_total', 'Documents found in memory', byKind(documents, 'hits'), 'kind'),
  counter(
    'document_misses_total',
    'Documents not found in memory, or too old',
    byKind(documents, 'misses'),
    'kind',
  ),
  gauge('documents', 'Documents held in memory', byKind(documents, 'size'), 'kind'),
  gauge('document_bytes', 'Heap of held documents, as estimated', byKind(documents, 'bytes'), 'kind'),
];
