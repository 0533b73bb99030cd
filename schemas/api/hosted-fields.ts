/** What the bodies of landing pages, forms and menus have in common: how a field is cleared, and ids of entries. */
import { z } from 'zod';
import { boundedArray, boundedText, label, multilineText, requiredLabel } from './text.ts';
import { emptyToNull } from './web-address.ts';

export const hostedStatuses = ['active', 'paused'] as const;
export type HostedStatus = (typeof hostedStatuses)[number];

const nameLengthMax = 120;

/** Letters, digits, punctuation or signs: anything that is seen. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A label that people read, such as that of a button: it is not all blank. */
export const visibleLabel = (lengthMax: number) =>
  requiredLabel(lengthMax).refine(
    (text) => text === '' || visible.test(text),
    'must have a visible character',
  );

/** The name and the status of each of them. */
export const hostedName = visibleLabel(nameLengthMax);
export const hostedStatus = z.enum(hostedStatuses);

/** A text that an empty one or null clears. */
export const clearableLabel = (lengthMax: number) =>
  label(lengthMax).nullable().transform(emptyToNull).optional();
export const clearableText = (lengthMax: number) =>
  multilineText(lengthMax).nullable().transform(emptyToNull).optional();

/** A text of an entry of a list: an empty one or null is none. */
export const optionalLabel = (lengthMax: number) =>
  label(lengthMax)
    .nullable()
    .transform((text) => text || undefined)
    .optional();
export const optionalText = (lengthMax: number) =>
  multilineText(lengthMax)
    .nullable()
    .transform((text) => text || undefined)
    .optional();

type NullableName<Fields> = {
  [Name in keyof Fields]-?: null extends Fields[Name] ? Name : never;
}[keyof Fields];

/** Fields of a body as they are stored: one that is not set is missing, but lists and objects are always there. */
export type Stored<Fields> = { [Name in NullableName<Fields>]?: NonNullable<Fields[Name]> } & {
  [Name in Exclude<keyof Fields, NullableName<Fields>>]-?: NonNullable<Fields[Name]>;
};

const idLengthMax = 64;
export const notEntryId =
  'must be 1 to 64 letters, digits, hyphens and underscores, a letter or digit the first of them';
export const entryIdShape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The id of an entry: what can be a part of a query, of the name of a form's field, and of an anchor as it is. */
export const entryId = boundedText(idLengthMax, notEntryId).regex(entryIdShape, notEntryId);

/** Characters of a name that its id takes over: with a number after them they make an id. */
const slugLengthMax = 40;

/** `Spicy & hot` as `spicy-hot`; an empty text where it has neither Latin letters nor digits. */
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

/** Gives ids to entries that have none: made of their names, so that the same list gets the same ids in whatever order it comes. */
export interface EntryIds {
  /** @param name of the entry @param word stands for a name without Latin letters and digits */
  idFor(entry: Identified, name: string, word: string): string;
}

/** @param entries all that share the ids: no id that is given is given out */
export const createEntryIds = (entries: Iterable<Identified>): EntryIds => {
  const taken = new Set<string>();
  /** Where the numbers after a name go on, so that a thousand entries of one name are no million tries. */
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
 * Fails each entry whose id an earlier one has, naming both.
 * @param field the name of the list @param entries with their paths from the list
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
 * A list whose entries have ids, which `null` empties.
 * @param field its name @param word stands for a name without Latin letters and digits
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
