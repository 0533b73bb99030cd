/** Prices as numbers with their currency, for programs: menus store them as display texts. */

export interface Price {
  /** An ISO 4217 code. */
  readonly currency: string;
  /** Digits with at most one `.`. */
  readonly amount: string;
}

/** Signs of a single currency. `$`, `¥` and `kr` are left out: several currencies share each. */
const currencyOfSign: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₪': 'ILS',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
  '₴': 'UAH',
  '₩': 'KRW',
  '₫': 'VND',
  '฿': 'THB',
  '₱': 'PHP',
  '₦': 'NGN',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  R$: 'BRL',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  NZ$: 'NZD',
  HK$: 'HKD',
};

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const currencyOf = (sign: string): string | undefined => {
  if (Object.hasOwn(currencyOfSign, sign)) return currencyOfSign[sign];
  const code = sign.toUpperCase();
  return currencies.has(code) ? code : undefined;
};

/** Zero of the Arabic-Indic and the extended Arabic-Indic digits. */
const zeros = [0x0660, 0x06f0];

const toAsciiDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.codePointAt(0)!;
    return String(code - zeros.findLast((zero) => code >= zero)!);
  });

/** Digits, optionally in groups of three, then one or two decimals, or a dash instead. */
const amountPattern = /^(\d{1,6}|\d{1,3}(?:([.,' ])\d{3})+)(?:([.,٫])(\d{1,2}|-{1,2}|[–—]))?$/;

const amountOf = (text: string): string | undefined => {
  const match = amountPattern.exec(text);
  if (!match) return undefined;
  const [, whole, group, separator, decimals] = match;
  // 1.250 may be over a thousand, or one and a quarter: it is ambiguous.
  const isAmbiguous = (group === '.' || group === ',') && separator === undefined;
  if (isAmbiguous || (group !== undefined && group === separator)) return undefined;
  const digits = whole!.replace(/\D/g, '');
  return decimals && /^\d+$/.test(decimals) ? `${digits}.${decimals}` : digits;
};

/** @returns undefined unless it is one number with one currency: `MP`, `12 / 18 €`, `from 9 €` are not */
export const parsePrice = (text: string): Price | undefined => {
  const plain = toAsciiDigits(text.replace(/[\u200e\u200f\u061c]/g, '').replace(/\s/g, ' ')).trim();
  const match = /^([^\d]*?) ?(\d(?:.*\d)?(?:[.,](?:-{1,2}|[–—]))?) ?([^\d]*)$/u.exec(plain);
  if (!match) return undefined;
  const [, before, number, after] = match;
  if ((before === '') === (after === '')) return undefined;
  const currency = currencyOf((before || after)!.trim());
  const amount = amountOf(number!.trim());
  return currency === undefined || amount === undefined ? undefined : { currency, amount };
};
