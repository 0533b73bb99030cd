/** The common parts of the bodies of landing pages, forms and menus: clearable fields, and entry ids. */
import { z } from 'zod';
import { boundedArray, boundedText, label, multilineText, ownText, requiredLabel } from './text.ts';
import { emptyToNull } from './web-address.ts';

export const hostedStatuses = ['active', 'paused'] as const;
export type HostedStatus = (typeof hostedStatuses)[number];

const nameLengthMax = 120;

/** Letters, digits, punctuation or symbols, apart from the fillers among them (Hangul's, an empty Braille cell): anything visible. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

const isNotBlank = (text: string): boolean => text === '' || visible.test(text);
const blank = 'must have a visible character';

/** A label for people, such as a button's: not all blank. */
export const visibleLabel = (lengthMax: number) => requiredLabel(lengthMax).refine(isNotBlank, blank);
/** The same, of any number of lines. */
export const visibleText = (lengthMax: number) => multilineText(lengthMax).min(1).refine(isNotBlank, blank);

/** Their common name and status. */
export const hostedName = visibleLabel(nameLengthMax);
export const hostedStatus = z
  .enum(hostedStatuses)
  .describe('If it is `paused`, visitors get a page that says so, with status 404.');

/** The common fields of their answers. */
export const hostedWorkspaceId = ownText().describe('The id of the workspace that it belongs to.');
export const hostedCreatedAt = z.int().describe('When it was created, in milliseconds since 1970.');
export const hostedUpdatedAt = z
  .int()
  .describe('When it was last changed, in milliseconds since 1970. It grows with each change.');
export const viewCount = z
  .int()
  .describe(
    'How often people have viewed it. Crawlers, link previews and `HEAD` do not count. A view is counted ' +
      'within a second or two.',
  );

/** A text that is cleared by an empty one or null. */
export const clearableLabel = (lengthMax: number) =>
  label(lengthMax).refine(isNotBlank, blank).nullable().transform(emptyToNull).optional();
export const clearableText = (lengthMax: number) =>
  multilineText(lengthMax).refine(isNotBlank, blank).nullable().transform(emptyToNull).optional();

/** A text in a list entry: empty or null means none. */
export const optionalLabel = (lengthMax: number) =>
  label(lengthMax)
    .refine(isNotBlank, blank)
    .nullable()
    .transform((text) => text || undefined)
    .optional();
export const optionalText = (lengthMax: number) =>
  multilineText(lengthMax)
    .refine(isNotBlank, blank)
    .nullable()
    .transform((text) => text || undefined)
    .optional();

type NullableName<Fields> = {
  [Name in keyof Fields]-?: null extends Fields[Name] ? Name : never;
}[keyof Fields];

/** Fields of a body as stored: unset fields are missing, but lists and objects are always present. */
export type Stored<Fields> = { [Name in NullableName<Fields>]?: NonNullable<Fields[Name]> } & {
  [Name in Exclude<keyof Fields, NullableName<Fields>>]-?: NonNullable<Fields[Name]>;
};

const idLengthMax = 64;
export const notEntryId =
  'must be 1 to 64 letters, digits, hyphens and underscores, a letter or digit the first of them';
export const entryIdShape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The id of an entry: usable unchanged in a query, a form field's name and an anchor. */
export const entryId = boundedText(idLengthMax, notEntryId).regex(entryIdShape, notEntryId);

/**
 * The id of a given entry.
 * @param scope in which it is unique
 * @param source the text that it is made from
 * @param use further sentences
 */
export const givenEntryId = (scope: string, source: string, use = '') =>
  entryId
    .optional()
    .describe(
      `Letters, digits, hyphens and underscores, unique in the ${scope}. ` +
        `If omitted, it is made from the ${source}.${use}`,
    );

/** Characters of a name that its id keeps: with a number appended they still form an id. */
const slugLengthMax = 40;

/** `Spicy & hot` as `spicy-hot`; an empty text if there are neither Latin letters nor digits. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLengthMax + 1)
    .replace(/^-+/, '')
    .slice(0, slugLengthMax)
    .replace(/-+$/, '');

interface Identified {
  id?: string | undefined;
}

/** Assigns ids to entries without one, based on their names, so that the same list gets the same ids in any order. */
export interface EntryIds {
  /** @param name of the entry @param word used for a name without Latin letters and digits */
  idFor(entry: Identified, name: string, word: string): string;
}

/** @param entries all that share the ids: no given id is assigned again */
export const createEntryIds = (entries: Iterable<Identified>): EntryIds => {
  const taken = new Set<string>();
  /** The next number to try after each name, so that a thousand entries of one name do not take a million tries. */
  const nextNumber = new Map<string, number>();
  for (const { id } of entries) if (id !== undefined) taken.add(id);
  return {
    idFor({ id }, name, word) {
      if (id !== undefined) return id;
      const slug = slugOf(name) || word;
      for (let number = nextNumber.get(slug) ?? 1; ; number++) {
        const free = number === 1 ? slug : `${slug}-${number}`;
        if (taken.has(free)) continue;
        taken.add(free);
        nextNumber.set(slug, number + 1);
        return free;
      }
    },
  };
};

/** `sections[1].items[0]` */
const placeOf = (field: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    field,
  );

/**
 * Fails each entry that repeats an earlier entry's id, naming both.
 * @param field the name of the list
 * @param entries with their paths from the list
 */
export const refuseSameIds = (
  field: string,
  entries: Iterable<readonly [entry: Identified, path: readonly PropertyKey[]]>,
  context: z.RefinementCtx,
): void => {
  const seen = new Map<string, readonly PropertyKey[]>();
  for (const [{ id }, path] of entries) {
    if (id === undefined) continue;
    const first = seen.get(id);
    const message = `must not be given twice: ${placeOf(field, first ?? [])} has it, too`;
    if (first) context.addIssue({ code: 'custom', path: [...path, 'id'], message });
    else seen.set(id, path);
  }
};

/**
 * A list whose entries have ids; `null` empties it.
 * @param field its name
 * @param word used for a name without Latin letters and digits
 */
export const identifiedList = <Entry extends z.ZodType<Identified>>(
  entry: Entry,
  {
    field,
    max,
    word,
    nameOf,
  }: { field: string; max: number; word: string; nameOf(entry: z.output<Entry>): string },
) =>
  boundedArray(entry, { max })
    .superRefine((list, context) =>
      refuseSameIds(
        field,
        list.map((each, index) => [each, [index]]),
        context,
      ),
    )
    .transform((list) => {
      const ids = createEntryIds(list);
      return list.map((each) => ({ ...each, id: ids.idFor(each, nameOf(each), word) }));
    })
    .nullable()
    .transform((list) => list ?? [])
    .optional();
