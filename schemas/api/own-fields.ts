/** What the owner of a code keeps beside it: an id of their own, metadata and notes. Nothing of it is shown to people who scan. */
import type { z } from 'zod';
import { boundedRecord, checkedText, multilineText, requiredLabel } from './text.ts';

export const externalIdLengthMax = 255;
export const metadataKeysMax = 50;
const metadataKeyLengthMax = 40;
const metadataValueLengthMax = 500;
const notesLengthMax = 5_000;

/** Visible characters, with single spaces between them: two ids that look the same are the same. */
const externalIdShape =
  /^[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]+(?: [[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]+)*$/v;

const whyNoExternalId = (text: string): string | undefined =>
  externalIdShape.test(text)
    ? undefined
    : `must be 1 to ${externalIdLengthMax} visible characters, with single spaces at most between them`;

/** The owner's own id of a code. It is compared exactly. */
export const externalId = checkedText(externalIdLengthMax, whyNoExternalId);

const metadataKey = requiredLabel(metadataKeyLengthMax);

const metadataOf = <Value extends z.ZodType>(value: Value, keysMax: number) =>
  boundedRecord(metadataKey, value, keysMax);

const metadataValue = multilineText(metadataValueLengthMax);

/** The metadata of a new code; an empty value sets no key. */
export const newMetadata = metadataOf(metadataValue.nullable(), metadataKeysMax);

/** Keys to set, and keys to remove by null or an empty text: as many as it takes to replace them all. */
export const metadataChanges = metadataOf(metadataValue.nullable(), 2 * metadataKeysMax);
export type MetadataChanges = z.output<typeof metadataChanges>;

/** As stored: at least one key. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * The metadata after an update; null if no key is left. Keys that are not named stay.
 * @param given null removes all keys
 */
export const mergedMetadata = (before: Metadata | null, given: MetadataChanges | null): Metadata | null => {
  if (given === null) return null;
  const merged = new Map(Object.entries(before ?? {}));
  for (const [key, value] of Object.entries(given)) {
    if (value) merged.set(key, value);
    else merged.delete(key);
  }
  return merged.size > 0 ? Object.fromEntries(merged) : null;
};

export const notes = multilineText(notesLengthMax);
