/**
 * A visitor's answers, even to fields that have changed: an owner may change a form while its page is open, and
 * fields without given ids get ids made from their labels.
 */
import { type FormField, fieldLengthMax, formFieldsMax } from '#schemas/api/forms.ts';
import { entryIdShape } from '#schemas/api/hosted-fields.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';
import { inputPrefix, readLine, readLines } from './check-values.ts';

/** Answers to fields that the form no longer has, by field id: at most as many and as long as a form could have. */
export const goneAnswers = (fields: readonly FormField[], sent: FormPairs): ReadonlyMap<string, string> => {
  const ids = new Set(fields.map(({ id }) => id));
  const gone = new Map<string, string>();
  for (const [name, given] of sent) {
    const id = name.slice(inputPrefix.length);
    if (!name.startsWith(inputPrefix) || !entryIdShape.test(id) || ids.has(id)) continue;
    const answer = readLines(given.join('\n').slice(0, fieldLengthMax * 2));
    if (answer !== '') gone.set(id, answer);
    if (gone.size === formFieldsMax) break;
  }
  return gone;
};

/** Every value that could have been stored, depending on the field's type. */
const readingsOf = (given: string | undefined): string[] => {
  if (given === undefined) return ['', 'false'];
  return [given, readLine(given), readLines(given), ...(given === 'on' ? ['true'] : [])];
};

/** Whether exactly these answers are stored, even if the form has other fields by now. @param stored by field id */
export const isStoredAsSent = (stored: Readonly<Record<string, string>>, sent: FormPairs): boolean => {
  for (const [name, given] of sent) {
    if (!name.startsWith(inputPrefix)) continue;
    const isKnown = Object.hasOwn(stored, name.slice(inputPrefix.length));
    if (given.length > 1 || (!isKnown && given[0] !== '')) return false;
  }
  return Object.entries(stored).every(([id, value]) =>
    readingsOf(sent.get(inputPrefix + id)?.[0]).includes(value),
  );
};
