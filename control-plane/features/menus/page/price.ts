/** Prices as numbers with their currency, for programs: menus hold them as they are to be shown. */

export interface Price {
  /** Of ISO 4217. */
  readonly currency: string;
  /** Digits with at most one `.`. */
  readonly amount: string;
}

/** Signs that name one currency. `$`, `¥` and `kr` are not among them: each is the sign of several. */
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

/** Zero of the Arabic-Indic, the extended Arabic-Indic and the ASCII digits. */
const zeros = [0x0660, 0x06f0];

const toAsciiDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.codePointAt(0)!;
    return String(code - zeros.findLast((zero) => code >= zero)!);
  });

/** Digits, in groups of three or not, then one or two decimals, or a dash in their place. */
const amountPattern = /^(\d{1,6}|\d{1,3}(?:([.,' ])\d{3})+)(?:([.,٫])(\d{1,2}|-{1,2}|[–—]))?$/;

const amountOf = (text: string): string | undefined => {
  const match = amountPattern.exec(text);
  if (!match) return undefined;
  const [, whole, group, separator, decimals] = match;
  // 1.250 may be a thousand and more or one and a quarter: nobody but the reader knows.
  const isAmbiguous = (group === '.' || group === ',') && separator === undefined;
  if (isAmbiguous || (group !== undefined && group === separator)) return undefined;
  const digits = whole!.replace(/\D/g, '');
  return decimals && /^\d+$/.test(decimals) ? `${digits}.${decimals}` : digits;
};

/** @returns undefined for what is not one number with one currency: `MP`, `12 / 18 €`, `from 9 €` */
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
