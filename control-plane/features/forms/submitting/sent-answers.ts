/**
 * What a visitor has sent, whatever fields the form has by now: an owner may change a form while its page is open, and the ids of fields
 * that come without ids are made of their labels.
 */
import { type FormField, fieldLengthMax, formFieldsMax } from '#schemas/api/forms.ts';
import { entryIdShape } from '#schemas/api/hosted-fields.ts';
import type { FormPairs } from '../../../http/form-body.ts';
import { inputPrefix, readLine, readLines } from './check-values.ts';

/** Answers to fields that the form does not have now, by the id of the field: no more than a form had, and none longer than it could be. */
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

/** Everything that could have been stored of a value, whatever type its field had. */
const readingsOf = (given: string | undefined): string[] => {
  if (given === undefined) return ['', 'false'];
  return [given, readLine(given), readLines(given), ...(given === 'on' ? ['true'] : [])];
};

/** Whether exactly these answers are stored, also where the form has other fields by now. @param stored by the id of the field */
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
