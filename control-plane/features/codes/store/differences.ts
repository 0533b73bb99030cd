/** The differences that a change makes: in columns, and in API names. */
import { isDeepStrictEqual } from 'node:util';
import { routingKeys } from '#schemas/api/code-routing.ts';
import { type Code, type CodeChanges, secureKindsOf, type WholeCode } from './code.ts';
import { shownRouting } from './routing.ts';

/** A value as it will be read back: without its undefined parts. */
const asStored = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.parse(JSON.stringify(value))
    : value;

/** The changes that make a difference. A new password always does: it cannot be compared with the old one. */
export const differences = (code: WholeCode, changes: CodeChanges): CodeChanges => {
  const { passwordHash, ...others } = changes;
  const different = Object.entries(others).filter(
    ([key, value]) =>
      value !== undefined && !isDeepStrictEqual(code[key as keyof typeof others], asStored(value)),
  );
  const newPassword = passwordHash !== undefined && (passwordHash !== null || code.passwordProtected);
  return { ...Object.fromEntries(different), ...(newPassword && { passwordHash }) };
};

/** The API names of the parts that can be set. */
const apiKeys: Readonly<Record<keyof CodeChanges, readonly string[]>> = {
  name: ['name'],
  destination: ['destination'],
  data: ['data'],
  status: ['status'],
  passwordHash: ['password'],
  expiresAt: ['expiresAt'],
  maxScans: ['maxScans'],
  // Follows from maxScans.
  capEpoch: [],
  routingRules: ['routingRules'],
  campaign: ['campaign'],
  deepLinkConfig: ['deepLinkConfig'],
  messages: ['messages'],
  // Its own keys, see below.
  routing: [],
  analytics: ['analytics'],
  style: ['style'],
  externalId: ['externalId'],
  metadata: ['metadata'],
  notes: ['notes'],
  tagIds: ['tags'],
  folderId: ['folderId'],
  archived: ['archived'],
  healthCheck: ['healthCheck'],
};

/** As answers show it: a change of the schedule that has come is no change of the list. */
const changedRouting = (before: Code, after: Code): string[] => {
  const [was, is] = [before, after].map(({ routing }) => shownRouting(routing, after.updatedAt));
  return routingKeys.filter((key) => !isDeepStrictEqual(was?.[key], is?.[key]));
};

/**
 * The `changedKeys` of the event `qr.updated`, see schemas/events.ts.
 * @param changes the {@link differences} between the two, at least one
 */
export const changedKeys = (before: Code, after: Code, changes: CodeChanges): string[] => {
  const set = (Object.keys(changes) as (keyof CodeChanges)[]).flatMap((key) => apiKeys[key]);
  const isProtectedOtherwise = before.passwordProtected !== after.passwordProtected;
  const derived = [
    ...(isProtectedOtherwise ? ['passwordProtected'] : []),
    ...(isDeepStrictEqual(secureKindsOf(before), secureKindsOf(after)) ? [] : ['secure']),
    ...(changes.routing === undefined ? [] : changedRouting(before, after)),
  ];
  return [...new Set([...set, ...derived])].sort();
};
