/** Reports the refusals of one field by a schema that is chosen while its body is read. */
import type { z } from 'zod';
import { acceptedFields } from './accepted-fields.ts';

const unsaid = 'unsaid';

/** Reports them as if the schema were a part of the body's own. */
export const checkField = (
  context: z.RefinementCtx,
  field: string,
  schema: z.ZodType,
  value: unknown,
): void => {
  const { error } = schema.safeParse(value, {
    reportInput: true,
    // Only this issue, as it is before it is passed on, knows the schema that it comes from.
    error: (issue) => (issue.code === 'unrecognized_keys' ? acceptedFields(issue) : unsaid),
  });
  for (const { message, ...issue } of error?.issues ?? []) {
    const path = [field, ...issue.path];
    // An issue without a message of its own gets the message that the body's own issues get.
    context.addIssue({ ...issue, path, ...(message !== unsaid && { message }) } as z.core.$ZodRawIssue);
  }
};
