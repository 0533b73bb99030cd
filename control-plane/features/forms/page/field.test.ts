import { expect, test } from 'vitest';
import { renderField } from './field.ts';

test('addresses in the label of a checkbox and in a help text are links', () => {
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
