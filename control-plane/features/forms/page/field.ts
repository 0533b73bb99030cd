/** The fields of a form, as markup. Label, help and error of each are available to screen readers. */

import { html } from 'hono/html';
import type { FormField } from '#schemas/api/forms.ts';
import type { Language } from '#shared/languages.ts';
import { filled } from '#shared/pages/filled.ts';
import { escaped, type Html } from '#shared/pages/html.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { linkedText } from '../../hosted/layout/index.ts';
import { inputPrefix } from '../submitting/check-values.ts';

/** The autofill names of lines that are clearly for a person's name (HTML, autofill field names). */
type NameField = 'name' | 'given-name' | 'family-name';

/** Complete labels. With one more word it can be another question: the name of a dog, of a company. */
const nameLabels: Readonly<Record<NameField, string>> = {
  name: 'name, full name, your name, your full name, first and last name, ihr name, dein name, vor- und nachname, vollständiger name, nom et prénom, prénom et nom, nom complet, votre nom, nombre y apellido, nombre y apellidos, nombre completo, tu nombre, su nombre, nome e cognome, nome completo, il tuo nome, seu nome, o seu nome, nome e apelido, nome e sobrenome, naam, volledige naam, uw naam, je naam, voor- en achternaam, الاسم, الاسم الكامل, שם, שם מלא',
  'given-name': 'first name, given name, vorname, prénom, voornaam, الاسم الأول, שם פרטי',
  'family-name':
    'last name, family name, surname, nachname, familienname, nom de famille, apellido, apellidos, cognome, apelido, sobrenome, achternaam, اسم العائلة, שם משפחה',
};

const nameFields = new Map(
  Object.entries(nameLabels).flatMap(([field, words]) =>
    words.split(', ').map((word) => [word, field as NameField] as const),
  ),
);

/** @returns undefined if the label asks, or may ask, for something else */
const nameFieldOf = (label: string): NameField | undefined =>
  label.length > 60
    ? undefined
    : nameFields.get(
        label
          .normalize('NFC')
          .toLowerCase()
          .replace(/[\s:*?]+$/, '')
          .trim(),
      );

/** A field with the visitor's input. */
export interface ShownField {
  field: FormField;
  value: string;
  /** The error message; undefined if there is none. */
  fault: string | undefined;
  language: Language;
}

/** The id of a part of a field. Field ids contain no dot, so parts of different fields never share an id. */
const idOf = (part: 'f' | 'h' | 'e' | 'l', { id }: FormField, option?: number): string =>
  option === undefined || option === 0 ? `${part}.${id}` : `${part}.${id}.${option}`;

const star = ({ required }: FormField): Html | false =>
  required && html`<span class="star" aria-hidden="true">&nbsp;*</span>`;

const help = ({ field, language }: ShownField): Html | false => {
  const { helpText, maxLength, type } = field;
  const isTyped = !['select', 'radio', 'checkbox'].includes(type);
  const bound =
    isTyped && maxLength !== undefined
      ? filled(wordsOf[language].form.charactersMax, {
          characters: new Intl.NumberFormat(language).format(maxLength),
        })
      : '';
  if (!helpText && !bound) return false;
  // Someone who fills in a single line needs no visible limit; screen readers get it.
  const isSeen = type === 'textarea';
  const counted = isSeen || !helpText ? bound : bound && html`<span class="unseen">${bound}</span>`;
  return html`<p class="${isSeen || helpText ? 'help' : 'unseen'}" id="${idOf('h', field)}">${helpText && html`<span dir="auto">${linkedText(helpText)}</span> `}${counted}</p>
`;
};

/** The script writes errors here, too, so every field has this element. */
const fault = ({ field, fault: text }: ShownField): Html =>
  html`<p class="fault" id="${idOf('e', field)}"${!text && html` hidden`}>${text}</p>
`;

/** Help first, in the order of the page. */
const described = (shown: ShownField): Html => {
  const { field, fault: text } = shown;
  const ids = [...(help(shown) ? [idOf('h', field)] : []), idOf('e', field)].join(' ');
  return html` aria-describedby="${ids}"${text && html` aria-invalid="true"`}`;
};

const required = ({ required: isRequired }: FormField): Html | false => isRequired && html` required`;

const named = (field: FormField): Html => html` id="${idOf('f', field)}" name="${inputPrefix}${field.id}"`;

const label = (field: FormField): Html =>
  html`<label class="name" for="${idOf('f', field)}" dir="auto">${escaped(field.label)}${star(field)}</label>
`;

/** The autofill values and keyboards that phones and browsers offer. */
const kinds = {
  text: html`type="text"`,
  email: html`type="email" autocomplete="email" inputmode="email" autocapitalize="none" spellcheck="false"`,
  phone: html`type="tel" autocomplete="tel" inputmode="tel"`,
} as const;

const nameKind = ({ label, type }: FormField): Html | undefined => {
  const name = type === 'text' ? nameFieldOf(label) : undefined;
  return name && html` autocomplete="${name}"`;
};

const lineField =
  (type: keyof typeof kinds) =>
  (shown: ShownField): Html => {
    const { field, value } = shown;
    const placeholder = field.placeholder && html` placeholder="${escaped(field.placeholder)}"`;
    return html`<div class="field" data-id="${field.id}">
${label(field)}${help(shown)}<input ${kinds[type]}${nameKind(field)} class="box"${named(field)} value="${escaped(value)}" dir="auto"${placeholder}${required(field)}${described(shown)}>
${fault(shown)}</div>
`;
  };

const linesField = (shown: ShownField): Html => {
  const { field, value } = shown;
  const placeholder = field.placeholder && html` placeholder="${escaped(field.placeholder)}"`;
  // Without the line break, a first empty line of the text would be lost.
  return html`<div class="field" data-id="${field.id}">
${label(field)}${help(shown)}<textarea class="box" rows="4"${named(field)} dir="auto"${placeholder}${required(field)}${described(shown)}>
${escaped(value)}</textarea>
${fault(shown)}</div>
`;
};

const selectField = (shown: ShownField): Html => {
  const { field, value, language } = shown;
  const none = field.placeholder ?? wordsOf[language].form.choose;
  return html`<div class="field" data-id="${field.id}">
${label(field)}${help(shown)}<span class="select"><select class="box"${named(field)}${required(field)}${described(shown)}>
<option value="">${none}</option>
${field.options?.map(
  (
    option,
  ) => html`<option value="${escaped(option)}"${option === value && html` selected`}>${escaped(option)}</option>
`,
)}</select></span>
${fault(shown)}</div>
`;
};

/** Up to eleven short options, such as 0 to 10, are a scale. */
const scaleMax = 11;
const scaleLengthMax = 3;
/** Two options up to this length fit on a line of a phone. */
const pairLengthMax = 14;

const longestOf = (options: readonly string[]): number =>
  Math.max(0, ...options.map((option) => [...option].length));

/** Whether its options are a row of squares, or two rows of similar length. */
export const isScale = ({ type, options = [] }: FormField): boolean =>
  type === 'radio' && options.length <= scaleMax && longestOf(options) <= scaleLengthMax;

/** Options that are not beside each other are one below the other. */
const layoutOf = (field: FormField): Html | undefined => {
  const { options = [] } = field;
  if (isScale(field)) {
    const columns = options.length > 6 ? Math.ceil(options.length / 2) : options.length;
    return html` scale of${columns}`;
  }
  return longestOf(options) <= pairLengthMax ? html` pairs` : undefined;
};

const radioField = (shown: ShownField): Html => {
  const { field, value } = shown;
  const choice = (option: string, index: number): Html =>
    html`<label class="choice"><input type="radio" id="${idOf('f', field, index)}" name="${inputPrefix}${field.id}" value="${escaped(option)}"${option === value && html` checked`}${required(field)}><span dir="auto">${escaped(option)}</span></label>
`;
  return html`<fieldset class="field" data-id="${field.id}" role="radiogroup" aria-labelledby="${idOf('l', field)}"${field.required && html` aria-required="true"`}${described(shown)}>
<legend class="name" id="${idOf('l', field)}" dir="auto">${escaped(field.label)}${star(field)}</legend>
${help(shown)}<div class="choices${layoutOf(field)}">
${field.options?.map(choice)}</div>
${fault(shown)}</fieldset>
`;
};

/** Of a ticked box. */
export const tickValue = 'true';

const boxField = (shown: ShownField): Html => {
  const { field, value } = shown;
  return html`<div class="field" data-id="${field.id}">
<label class="choice"><input type="checkbox" value="${tickValue}"${named(field)}${value === tickValue && html` checked`}${required(field)}${described(shown)}><span dir="auto">${linkedText(field.label)}${star(field)}</span></label>
${help(shown)}${fault(shown)}</div>
`;
};

const renderers = {
  text: lineField('text'),
  email: lineField('email'),
  phone: lineField('phone'),
  textarea: linesField,
  select: selectField,
  radio: radioField,
  checkbox: boxField,
} as const satisfies Record<FormField['type'], (shown: ShownField) => Html>;

export const renderField = (shown: ShownField): Html => renderers[shown.field.type](shown);

/** The target of links to a field: its first input. */
export const fieldAnchor = (id: string): string => `#f.${id}`;
