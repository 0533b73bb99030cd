/** The documentation of the operations on forms. */
import { formList, formObject } from '#schemas/api/forms.ts';
import { hostedDocs } from '../hosted/docs.ts';
import { formResource } from './resource.ts';

const fields = [
  { id: 'name', type: 'text', label: 'Your name', required: true },
  { id: 'email', type: 'email', label: 'E-mail', required: true, helpText: 'We answer within a day' },
  {
    id: 'topic',
    type: 'select',
    label: 'What is it about?',
    options: ['A booking', 'Something else'],
    required: false,
  },
];

export const formExample = {
  formId: 'form_4nX5cPq7Rk2mQw8Z',
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name: 'Contact',
  description: 'Write to us.',
  fields,
  status: 'active',
  redirectAfterSubmit: null,
  thankYouMessage: 'Thank you. We answer within a day.',
  submitLabel: 'Send',
  logoUrl: null,
  theme: { accent: '#0c4a6e' },
  socials: [],
  submissionCount: 12,
  createdAt: 1777896000000,
  updatedAt: 1777899600000,
};

export const formDocs = hostedDocs({
  resource: formResource,
  tag: 'Forms',
  name: 'Form',
  object: formObject,
  list: formList,
  example: formExample,
  createExamples: {
    contact: {
      summary: 'A contact form',
      value: {
        name: 'Contact',
        description: 'Write to us.',
        fields: [
          { type: 'text', label: 'Your name', required: true },
          { type: 'email', label: 'E-mail', required: true, helpText: 'We answer within a day' },
          { type: 'select', label: 'What is it about?', options: ['A booking', 'Something else'] },
          { type: 'textarea', label: 'Your message', maxLength: 2000 },
        ],
        thankYouMessage: 'Thank you. We answer within a day.',
      },
    },
    name: { summary: 'A paused form without fields', value: { name: 'Newsletter', status: 'paused' } },
  },
  updateExamples: {
    fields: { summary: 'Other fields', value: { fields: fields.slice(0, 2) } },
    redirect: {
      summary: 'A page of your own after sending',
      value: { redirectAfterSubmit: 'https://example.com/thanks', thankYouMessage: null },
    },
  },
  about:
    'Creates a form at `{qr_host}/f/{formId}`, with up to 50 fields that visitors fill in. Use that ' +
    'address as the destination of a code.',
  order: 'newest first',
  deleted:
    'Deletes a form. Visitors get the 404 of an address that has no page, and no submissions are accepted. ' +
    'The id is never used again.\n\n' +
    'Stored submissions are kept and can still be read, unless `purgeSubmissions` is `true`. To purge them ' +
    'later, repeat the call with `purgeSubmissions=true`. Without it, a repeated call is refused with 404, ' +
    'and the message has the number of submissions left.',
});
