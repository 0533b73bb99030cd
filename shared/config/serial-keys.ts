/** The value of SERIAL_KEYS. */
import { z } from 'zod';
import { readSerialKeys } from '../serial-keys.ts';
import type { SerialKeys } from '../serial-signatures.ts';

export const serialKeysVariable = z.string().transform((text, context): SerialKeys => {
  const read = readSerialKeys(text);
  if ('keys' in read) return read.keys;
  context.addIssue({
    code: 'custom',
    message: `must be generations and keys such as 1=<32 bytes in base64url>,2=<…>, as admin serial-keys prints them; ${read.fault}`,
  });
  return z.NEVER;
});
