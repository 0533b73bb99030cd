/** The example form, with a field of each type: a request for seats at a supper. */
import type { z } from 'zod';
import type { createFormBody } from '#schemas/api/forms.ts';
import type { Content } from './content.ts';

type Body = z.input<typeof createFormBody>;

const fields = (): Body['fields'] => [
  { id: 'name', type: 'text', label: 'Your name', required: true },
  {
    id: 'email',
    type: 'email',
    label: 'Email',
    required: true,
    placeholder: 'you@example.com',
    helpText: 'The answer goes here.',
  },
  {
    id: 'phone',
    type: 'phone',
    label: 'Mobile',
    placeholder: '07700 900123',
    helpText: 'We call only if something changes on the day.',
  },
  {
    id: 'evening',
    type: 'select',
    label: 'Which evening?',
    required: true,
    options: ['This Friday', 'This Saturday', 'Next Friday', 'Next Saturday', 'Any evening you have room'],
  },
  {
    id: 'guests',
    type: 'radio',
    label: 'How many of you?',
    required: true,
    options: ['Just me', 'Two', 'Three or four', 'Five or six', 'The whole table'],
  },
  {
    id: 'notes',
    type: 'textarea',
    label: 'Allergies, diets, occasions',
    placeholder: 'No shellfish for one of us. It is a birthday, but please do not sing.',
    helpText: 'The more we know by Wednesday, the better we cook around it.',
    maxLength: 600,
  },
  {
    id: 'kitchen',
    type: 'checkbox',
    label: 'I know that everything is cooked in one small kitchen, with nuts, gluten and shellfish',
    required: true,
  },
  { id: 'letter', type: 'checkbox', label: 'Send me the menu of each month by email' },
];

export const seats: Content<Body> = ({ pictures }) => ({
  name: 'A seat at the long table',
  description:
    'Friday and Saturday evenings, one sitting at seven, four courses for £48. Tell us when you would like to come; Nell answers within a day. Nothing is paid before you sit down.',
  logoUrl: pictures.sign,
  fields: fields(),
  submitLabel: 'Ask for seats',
  thankYouMessage:
    'Thank you. Nell reads every request herself and writes back within a day. If your evening is full, she offers you the next one.',
  socials: [
    { id: 'website', platform: 'website', url: 'https://example.com/larkham' },
    { id: 'email', platform: 'email', url: 'hello@larkham.example' },
  ],
  theme: { background: '#fbf4e8', text: '#2e1c11', accent: '#9a3f1b' },
});
