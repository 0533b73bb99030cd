/** Prices as programs read them. */
import { expect, test } from 'vitest';
import { parsePrice } from './price.ts';

test.each([
  ['12,50 €', 'EUR', '12.50'],
  ['€12.50', 'EUR', '12.50'],
  ['€ 9', 'EUR', '9'],
  ['9.5 EUR', 'EUR', '9.5'],
  ['CHF 24.–', 'CHF', '24'],
  ['24,- €', 'EUR', '24'],
  ['1.250,00 €', 'EUR', '1250.00'],
  ["CHF 1'250.50", 'CHF', '1250.50'],
  ['£1,250.00', 'GBP', '1250.00'],
  ['R$ 45,90', 'BRL', '45.90'],
  ['US$12', 'USD', '12'],
  ['45 ₪', 'ILS', '45'],
  ['٤٥٫٥٠ AED', 'AED', '45.50'],
  ['12,50\u00a0€', 'EUR', '12.50'],
])('%s is one price', (text, currency, amount) => {
  expect(parsePrice(text)).toEqual({ currency, amount });
});

test.each([
  ['12,50 € / 18 €'],
  ['12 / 18 €'],
  ['MP'],
  ['market price'],
  ['9.50'],
  ['$12'],
  ['¥800'],
  ['from 9 €'],
  ['1.250 €'],
  ['€ 9 €'],
  ['-5 €'],
  ['5–7 €'],
  ['12,,50 €'],
  ['1e5 €'],
  ['€'],
  [''],
  ['EURO 5'],
  ['__proto__ 5'],
  ['1.250.00 €'],
])('%s is not one number with one currency', (text) => {
  expect(parsePrice(text)).toBeUndefined();
});
