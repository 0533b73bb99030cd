/** The value that a client gave, as an error message repeats it: shortened, and never a secret. */
import type { z } from 'zod';
import { quoted } from '#shared/quoted.ts';

const secretNames: ReadonlySet<PropertyKey> = new Set(['password', 'encryption', 'key', 'sig']);

/** Values that may hold a secret under an innocent name: a network's password, an API key, the user name and password of a URL. */
const maybeSecret = /WIFI:|^wm_|\/\/[^/?#]*@/i;

const isSealed = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'encryption' in input && input.encryption !== undefined;

const isSecret = ({ path, message }: z.core.$ZodIssue, value: unknown, input: unknown): boolean =>
  path.some((name) => secretNames.has(name)) ||
  (path[0] === 'data' && isSealed(input)) ||
  (typeof value === 'string' && (maybeSecret.test(value) || maybeSecret.test(message)));

/** The message says all: the value is absent, or it must be. */
const saysAll = /^(is required|must not be given(?! twice)|must be given together)/;

const sizeOf = ({ code, message }: z.core.$ZodIssue, value: unknown): number | undefined => {
  const isBound =
    (code === 'too_big' || code === 'too_small') && /(characters?|entry|entries)\b/.test(message);
  return isBound && (typeof value === 'string' || Array.isArray(value)) ? value.length : undefined;
};

/**
 * @param value what the issue is about
 * @param input the whole of what was given
 * @returns `; given: 'abc'`, or nothing where it would not help or would repeat a secret
 */
export const givenText = (issue: z.core.$ZodIssue, value: unknown, input: unknown): string => {
  if (value === undefined || saysAll.test(issue.message)) return '';
  const isWhole = typeof value === 'object' && value !== null;
  if (issue.code === 'custom' && isWhole) return '';
  if (isSecret(issue, value, input)) return '';
  return `; given: ${sizeOf(issue, value) ?? quoted(value)}`;
};
