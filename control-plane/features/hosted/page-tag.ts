/** Identifies the bytes of a rendered page. */
import { createHash } from 'node:crypto';

/** 96 bits. */
const tagLength = 16;

export const pageTag = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('base64url').slice(0, tagLength);
};
