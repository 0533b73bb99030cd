import { expect, test } from 'vitest';
import { checkDigitOf, gtin14 } from './check-digit.ts';

test('a GTIN of 8, 12, 13 or 14 digits becomes one of 14', () => {
  expect(gtin14('02345673')).toBe('00000002345673');
  expect(gtin14('416000336108')).toBe('00416000336108');
  expect(gtin14('9506000134352')).toBe('09506000134352');
  expect(gtin14('12312312312333')).toBe('12312312312333');
});

test('no other text is a GTIN', () => {
  const texts = [
    '',
    '0',
    '9506000134353',
    '950600013435',
    '950600013435a',
    '９506000134352',
    '1'.repeat(2 ** 20),
  ];
  for (const text of texts) expect(gtin14(text)).toBeUndefined();
});

test('the check digit is GS1’s mod 10', () => {
  expect(checkDigitOf('0950600013435')).toBe('2');
  expect(checkDigitOf('37610425002123456')).toBe('9');
});
