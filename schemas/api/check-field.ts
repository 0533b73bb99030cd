/** Reports a field's errors by a schema that is chosen while its body is read. */
import type { z } from 'zod';
import { acceptedFields } from './accepted-fields.ts';

const unsaid = 'unsaid';

/** Reports them as if the schema were part of the body's own. */
export const checkField = (
  context: z.RefinementCtx,
  field: string,
  schema: z.ZodType,
  value: unknown,
): void => {
  const { error } = schema.safeParse(value, {
    reportInput: true,
    // Only this issue, before it is passed on, has the schema it comes from.
    error: (issue) => (issue.code === 'unrecognized_keys' ? acceptedFields(issue) : unsaid),
  });
  for (const { message, ...issue } of error?.issues ?? []) {
    const path = [field, ...issue.path];
    // An issue without its own message gets the message that the body's own issues get.
    context.addIssue({ ...issue, path, ...(message !== unsaid && { message }) } as z.core.$ZodRawIssue);
  }
};
