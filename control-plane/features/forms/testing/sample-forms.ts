/** For tests and page sheets: forms with everything that a form may have. */
import type { FormContent, FormField } from '#schemas/api/forms.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { renderForm, renderKept, renderSent } from '../page/render-form.ts';
import type { Form } from '../page/shown-form.ts';
import { checkValues } from '../submitting/check-values.ts';

/** One of each type. */
export const allFields: FormField[] = [
  { id: 'name', type: 'text', label: 'Your name', required: true, placeholder: 'Ann O’Neil' },
  { id: 'email', type: 'email', label: 'E-mail', required: true, helpText: 'We answer within a day.' },
  { id: 'phone', type: 'phone', label: 'Phone', required: false, placeholder: '+1 555 123 4567' },
  {
    id: 'topic',
    type: 'select',
    label: 'What is it about?',
    options: ['A booking', 'A private party', 'Something else'],
    required: true,
  },
  {
    id: 'guests',
    type: 'radio',
    label: 'How many are you?',
    options: ['1 or 2', '3 to 6', 'More than 6'],
    required: true,
    helpText: 'Children count as well.',
  },
  {
    id: 'message',
    type: 'textarea',
    label: 'Your message',
    required: false,
    maxLength: 1_000,
    placeholder: 'Allergies, a pram, a birthday …',
  },
  {
    id: 'consent',
    type: 'checkbox',
    label: 'You may store what I have entered here, to answer me.',
    required: true,
  },
];

export const sampleForm = (name: string, content: Partial<FormContent> = {}): Form => ({
  id: 'form_4nX5cPq7Rk2mQw8Z',
  kind: 'form',
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name,
  status: 'active',
  content: { fields: allFields, theme: {}, socials: [], ...content },
  version: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

const german: FormField[] = [
  {
    id: 'a',
    type: 'text',
    label: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenbestellnummer',
    required: true,
  },
  {
    id: 'b',
    type: 'email',
    label: 'E-Mail-Adresse',
    required: true,
    helpText: 'Wir antworten innerhalb eines Tages.',
  },
  {
    id: 'c',
    type: 'radio',
    label: 'Wie haben Sie von uns erfahren?',
    options: ['Empfehlung', 'Zeitung', 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'],
    required: false,
  },
  {
    id: 'd',
    type: 'checkbox',
    label: 'Ich habe die Datenschutzerklärung gelesen und stimme der Verarbeitung meiner Angaben zu.',
    required: true,
  },
];

const arabic: FormField[] = [
  { id: 'a', type: 'text', label: 'الاسم الكامل', required: true },
  { id: 'b', type: 'phone', label: 'رقم الهاتف', required: true, helpText: 'سنتصل بكم لتأكيد الحجز.' },
  { id: 'c', type: 'select', label: 'الفرع', options: ['الرياض', 'جدة'], required: false },
  { id: 'd', type: 'radio', label: 'الوقت المناسب', options: ['صباحًا', 'مساءً'], required: false },
];

/** Markup that would run in any unescaped place. */
const hostile = '</textarea></style><script>alert(1)</script>"\'><img src=x onerror=alert(1)><!--fill-->';

export const sampleForms = {
  everything: sampleForm('Book a table', {
    description:
      'Tell us when you would like to come and who is with you.\n\nWe confirm every booking by e-mail.',
    socials: [
      { id: 'a', platform: 'instagram', url: 'https://instagram.com/example' },
      { id: 'b', platform: 'email', url: 'mailto:hello@example.com' },
    ],
    submitLabel: 'Request a table',
  }),
  short: sampleForm('Newsletter', {
    description: 'One letter a month. No more.',
    fields: [
      { id: 'email', type: 'email', label: 'E-mail', required: true, placeholder: 'name@example.com' },
    ],
    submitLabel: 'Subscribe',
    theme: { accent: '#0f766e' },
  }),
  german: sampleForm('Anmeldung', {
    description: 'Bitte füllen Sie alle Felder aus, die einen Stern haben.',
    thankYouMessage: 'Wir freuen uns auf Sie.\n\nBis bald am Marktplatz!',
    fields: german,
    theme: { background: '#0c1b2a', text: '#334155', accent: '#f59e0b' },
  }),
  arabic: sampleForm('حجز طاولة', {
    description: 'يسعدنا استقبالكم في مطعمنا. يُرجى تعبئة النموذج.',
    fields: arabic,
    theme: { accent: '#7c3aed' },
  }),
  hostile: sampleForm(hostile, {
    description: hostile,
    fields: allFields.map((field) => ({
      ...field,
      label: hostile,
      helpText: hostile,
      ...(field.options ? { options: [hostile, ...field.options] } : { placeholder: hostile }),
    })),
    submitLabel: hostile,
    thankYouMessage: hostile,
  }),
  scale: sampleForm('How was it?', {
    description: 'Four questions. They take a minute.',
    fields: [
      {
        id: 'recommend',
        type: 'radio',
        label: 'How likely are you to recommend us?',
        helpText: '0: not at all. 10: certainly.',
        options: Array.from({ length: 11 }, (_, number) => `${number}`),
        required: true,
      },
      { id: 'food', type: 'radio', label: 'The food', options: ['1', '2', '3', '4', '5'], required: false },
      { id: 'again', type: 'radio', label: 'Will you come again?', options: ['Yes', 'No'], required: false },
      {
        id: 'how',
        type: 'radio',
        label: 'How did you find us?',
        options: ['A friend', 'A newspaper', 'Walking past', 'A map'],
        required: false,
      },
      { id: 'letters', type: 'checkbox', label: 'Send me your letters.', required: false },
    ],
    thankYouMessage: 'See you at the counter!\n\nYour answers go straight to the kitchen.',
    theme: { accent: '#9a3412' },
    socials: [{ id: 'a', platform: 'website', url: 'https://www.example.com/shop' }],
  }),
  empty: sampleForm('A form', { fields: [] }),
} as const satisfies Record<string, Form>;

const context = { url: 'https://qr.example.com/f/form_4nX5cPq7Rk2mQw8Z', images: new Map() };

/** The returned form after filling in only an invalid address. */
const returned = (form: Form): Promise<RenderedPage> => {
  const { fields } = form.content;
  const sent = new Map(fields.map(({ id, type }) => [`f.${id}`, [type === 'email' ? 'not an address' : '']]));
  return renderForm(form, context, {
    ...checkValues(fields, sent),
    gone: new Map([['old-field', form.name]]),
    token: 'x',
  });
};

const named = async (name: string, page: Promise<RenderedPage>): Promise<[string, RenderedPage]> => [
  name,
  await page,
];

/** Every page that a visitor of a form may see, by name. */
export const formPages: ReadonlyMap<string, RenderedPage> = new Map([
  ...(await Promise.all(
    Object.entries(sampleForms).flatMap(([name, form]) => [
      named(name, renderForm(form, context)),
      named(`${name}-returned`, returned(form)),
    ]),
  )),
  ['sent', renderSent(sampleForms.everything, context)],
  ['sent-scale', renderSent(sampleForms.scale, context)],
  ['sent-message', renderSent(sampleForms.german, context)],
  ['kept', renderKept(context.url, new Map([['f.name', ['Ann']]]), 'en')],
]);
