/** Parts of the documentation that every kind of bulk operation has. */
import { type BulkProgress, bulkProgress } from '#schemas/api/bulk.ts';

export const bulkTag = 'Bulk operations';

export const bulkIdParam = {
  bulkId: { description: 'The id of the bulk operation.', example: 'blk_7Yh2kPq9RsTuVwXy' },
};

export const exampleProgress: BulkProgress = {
  bulkId: bulkIdParam.bulkId.example,
  kind: 'create',
  status: 'processing',
  total: 1000,
  processed: 300,
  succeeded: 298,
  failed: 2,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:01.000Z',
};

/** The answer to a fetch that comes too early. @param done what is done with a row, such as `rows are done` */
export const notCompletedExample = (done: string) => {
  const { bulkId, processed, total } = exampleProgress;
  return { error: `${bulkId} is not completed: ${processed} of ${total} ${done}`, code: 'CONFLICT' };
};

const reusedKeyExample = {
  error: 'Waymark-Idempotency-Key was used before, for a different request',
  code: 'UNPROCESSABLE',
};

/** Of calls whose rows are looked at one by one. @param malformed what is wrong with one */
export const callRefusalExamples = (malformed: string) => ({
  400: { error: malformed, code: 'INVALID_REQUEST' },
  422: reusedKeyExample,
});

/** The answer to a call that is submitted. */
export const submittedResponse = (kind: BulkProgress['kind']) => ({
  description: 'The bulk operation is stored. Its rows are processed after this response',
  schema: bulkProgress,
  example: { ...exampleProgress, kind, status: 'pending', processed: 0, succeeded: 0, failed: 0 },
  headers: { location: 'The URL of the bulk operation' },
});
