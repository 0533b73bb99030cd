/** The size limit of a submitted form: as large as its fields can make it, and a bit more. */
import type { FormField } from '#schemas/api/forms.ts';
import { isDatabaseUnavailable } from '../../../platform/db/pool.ts';
import type { Form } from '../page/shown-form.ts';
import { charactersMaxOf, inputPrefix } from './check-values.ts';

/** 50 fields of 8,000 characters take 4.8 MB; their names some 4 KB. */
export const bodyBytesMax = 5 * 2 ** 20;

/** UTF-8 has up to four bytes per character, and a form sends each as `%f0`. */
const characterBytesMax = 12;

/**
 * For the token, for input beyond a field's limit, and for an answer of 8,000 characters to a field that the form had
 * when its page was shown.
 */
const restBytes = 128 * 2 ** 10;

/** Limits in messages are round, and each started part of this size counts as one form of the address. */
export const stepBytes = 64 * 2 ** 10;

const charactersOf = (field: FormField): number =>
  charactersMaxOf(field) ?? (field.options ?? []).reduce((max, { length }) => Math.max(max, length), 4);

/** The limit of a body, in bytes. An unknown form has no fields. */
const bytesMaxOf = (fields: readonly FormField[]): number => {
  const bytes = fields.reduce(
    (sum, field) => sum + `&${inputPrefix}${field.id}=`.length + charactersOf(field) * characterBytesMax,
    restBytes,
  );
  return Math.min(bodyBytesMax, Math.ceil(bytes / stepBytes) * stepBytes);
};

interface KnownForms {
  isIdShaped(id: string): boolean;
  /** @throws errors of PostgreSQL */
  find(id: string): Promise<Form | undefined>;
}

/** The body limit of this path. If the form cannot be read, the limit is the largest of any form. */
export const bytesMaxOfForm =
  ({ isIdShaped, find }: KnownForms) =>
  async ({ id = '' }: Readonly<Record<string, string>>): Promise<number> => {
    if (!isIdShaped(id)) return bytesMaxOf([]);
    try {
      return bytesMaxOf((await find(id))?.content.fields ?? []);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return bodyBytesMax;
      throw error;
    }
  };
