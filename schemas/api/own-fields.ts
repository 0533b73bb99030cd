/** What the owner of a code keeps beside it: an id of their own, metadata and notes. Nothing of it is shown to people who scan. */
import type { z } from 'zod';
import { boundedRecord, boundedText, multilineText, ownRecord, ownText, requiredLabel } from './text.ts';

export const externalIdLengthMax = 255;
export const metadataKeysMax = 50;
const metadataKeyLengthMax = 40;
const metadataValueLengthMax = 500;
const notesLengthMax = 5_000;

/** Visible characters, with single spaces between them: two ids that look the same are the same. */
const externalIdShape =
  /^[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]+(?: [[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]+)*$/v;

/** The owner's own id of a code. It is compared exactly. */
export const externalId = boundedText(externalIdLengthMax)
  .min(1)
  .refine(
    (text) => text === '' || externalIdShape.test(text),
    'must have visible characters only, with single spaces between them',
  );

const metadataKey = requiredLabel(metadataKeyLengthMax);

const metadataOf = (keysMax: number) =>
  boundedRecord(metadataKey, multilineText(metadataValueLengthMax).nullable(), keysMax);

const notes = multilineText(notesLengthMax);

const externalIdText =
  `Your own id of the code: at most ${externalIdLengthMax} visible characters. No other code of the workspace ` +
  'may have it. Wherever the API takes the id of a code in a path, it also takes `ext_{externalId}`, ' +
  'URL-encoded. `null` clears it.';

const metadataText =
  `Your own data about the code: at most ${metadataKeysMax} keys of at most ${metadataKeyLengthMax} characters, ` +
  `with texts of at most ${metadataValueLengthMax} characters. Webhooks carry it.`;

const notesText = `Notes for people, at most ${notesLengthMax} characters. \`null\` and \`""\` clear them. Webhooks carry them.`;

/** The fields in the body of a create. */
export const newOwnFields = {
  externalId: externalId.nullable().optional().describe(externalIdText),
  metadata: metadataOf(metadataKeysMax).nullable().optional().describe(metadataText),
  notes: notes.nullable().optional().describe(notesText),
};

/** The same in an update, which may name keys to remove beside those to set: enough to replace them all. */
export const updatedOwnFields = {
  ...newOwnFields,
  metadata: metadataOf(2 * metadataKeysMax)
    .nullable()
    .optional()
    .describe(
      `${metadataText} Keys that are not sent stay. \`null\` and \`""\` remove a key, and \`"metadata": null\` removes all.`,
    ),
};

type MetadataChanges = z.output<ReturnType<typeof metadataOf>>;

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

/** The fields in the object of a code. */
export const shownOwnFields = {
  externalId: ownText().nullable().describe('Your own id of the code; null if it has none.'),
  metadata: ownRecord(ownText()).describe('Your own data about the code; `{}` if there is none.'),
  notes: ownText().nullable().describe('Notes for people; null if there are none.'),
};

/** The schema of {@link OwnFields}. */
export const sentOwnFields = {
  externalId: ownText().optional().describe('Your own id of the code. Absent if it has none.'),
  metadata: ownRecord(ownText())
    .optional()
    .describe('Your own data about the code. Absent if there is none.'),
  notes: ownText().optional().describe('Notes for people. Absent if there are none.'),
};

/** The fields in the events of a code, each only if it is set. */
export interface OwnFields {
  readonly externalId?: string;
  readonly metadata?: Metadata;
  readonly notes?: string;
}

/** The fields as they are stored. */
export interface StoredOwnFields {
  externalId: string | null;
  metadata: Metadata | null;
  notes: string | null;
}

/** The fields that are set. */
export const ownFieldsOf = ({ externalId, metadata, notes }: StoredOwnFields): OwnFields => ({
  ...(externalId !== null && { externalId }),
  ...(metadata && { metadata }),
  ...(notes !== null && { notes }),
});
