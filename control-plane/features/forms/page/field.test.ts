import { expect, test } from 'vitest';
import { renderField } from './field.ts';

test('turns addresses in checkbox labels and help texts into links', () => {
  const field = {
    id: 'terms',
    type: 'checkbox' as const,
    label: 'I have read https://shop.example/terms',
    required: true,
    helpText: 'Questions? info@shop.example or +49 30 1234567',
  };
  const markup = String(renderField({ field, value: '', fault: undefined, language: 'en' }));
  expect([...markup.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    'https://shop.example/terms',
    'mailto:info@shop.example',
    'tel:+49301234567',
  ]);
});

test.each([
  ['Name', 'text', 'autocomplete="name"'],
  ['Nome e cognome:', 'text', 'autocomplete="name"'],
  ['Vorname *', 'text', 'autocomplete="given-name"'],
  ['Achternaam', 'text', 'autocomplete="family-name"'],
  ['שם מלא', 'text', 'autocomplete="name"'],
  ['Email', 'email', 'autocomplete="email"'],
] as const)('a browser fills in what %s asks for', (label, type, markup) => {
  const field = { id: 'a', type, label, required: false };
  expect(String(renderField({ field, value: '', fault: undefined, language: 'en' }))).toContain(markup);
});

test.each(['Name of your dog', 'Company name', 'Dish', 'constructor'])(
  'browsers do not autofill a name for %s',
  (label) => {
    const field = { id: 'a', type: 'text' as const, label, required: false };
    const markup = String(renderField({ field, value: '', fault: undefined, language: 'en' }));
    expect(markup).not.toContain('autocomplete');
  },
);
