/** Lists the fields an object accepts, for the message about an unknown one. */
import type { z } from 'zod';

/** A field refused by name, such as `secure` of a static code, is not accepted. */
const isRefused = (field: z.core.$ZodType): boolean => {
  const { def } = field._zod;
  const inner = 'innerType' in def ? (def.innerType as z.core.$ZodType)._zod.def : def;
  return inner.type === 'never';
};

/**
 * @param issue an `unrecognized_keys`, before it has its message
 * @returns `accepted are id, name`
 */
export const acceptedFields = ({ inst }: z.core.$ZodRawIssue): string => {
  const def = inst?._zod.def;
  const shape = def && 'shape' in def ? (def.shape as Readonly<Record<string, z.core.$ZodType>>) : {};
  const names = Object.keys(shape).filter((name) => !isRefused(shape[name]!));
  return names.length > 0 ? `accepted are ${names.join(', ')}` : 'none is accepted here';
};
