/** A form as shown to a visitor: with the input and its errors. */
import type { FormContent, FormField } from '#schemas/api/forms.ts';
import type { Language } from '#shared/languages.ts';
import { filled } from '#shared/pages/filled.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import type { CheckedValues, ValueFault } from '../submitting/check-values.ts';

export type Form = HostedPage<FormContent>;

/** Why nothing was stored, although all values are valid. */
export type Notice = Extract<
  keyof Words['form']['notices'],
  'tooFast' | 'trap' | 'expired' | 'changed' | 'used' | 'closed' | 'unavailable'
>;

/** A form shown again after it was sent. */
export interface Returned extends CheckedValues {
  notice?: Notice;
  /** Answers to fields that the form no longer has, by field id. */
  gone?: ReadonlyMap<string, string>;
  token: string;
}

/** The error message of one field. */
export interface FaultText {
  field: string;
  label: string;
  message: string;
}

const faultText = ({ type }: FormField, fault: ValueFault, language: Language): string => {
  const { faults } = wordsOf[language].form;
  const shown = (characters: number) => new Intl.NumberFormat(language).format(characters);
  if (fault.reason === 'tooLong')
    return filled(faults.tooLong, {
      max: shown(fault.charactersMax),
      characters: shown(fault.characters),
    });
  if (fault.reason !== 'required') return faults[fault.reason];
  if (type === 'checkbox') return faults.tick;
  return type === 'radio' || type === 'select' ? faults.chooseOne : faults.required;
};

/** In the order of the fields. */
export const faultTexts = (
  fields: readonly FormField[],
  faults: CheckedValues['faults'],
  language: Language,
): FaultText[] =>
  fields.flatMap((field) => {
    const fault = faults.get(field.id);
    if (fault === undefined) return [];
    return [{ field: field.id, label: field.label, message: faultText(field, fault, language) }];
  });
