/** Values for fields of every kind, compared with a slow and simple implementation of the rules. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FormField, type FormFieldType, formFieldTypes } from '#schemas/api/forms.ts';
import { checkValues, type ValueFault } from './check-values.ts';

const field = (type: FormFieldType, more: Partial<FormField> = {}): FormField => ({
  id: 'a',
  type,
  label: 'A',
  required: false,
  ...more,
});

const check = (checked: FormField, ...sent: string[]) => {
  const { values, faults } = checkValues([checked], new Map([['f.a', sent]]));
  return { value: values.a, fault: faults.get('a') };
};

describe('a required field', () => {
  test.each(formFieldTypes)('%s must not be absent, empty or blank', (type) => {
    const asked = field(type, { required: true, ...(/select|radio/.test(type) && { options: ['x'] }) });
    expect(check(asked).fault).toEqual({ reason: 'required' });
    expect(check(asked, '').fault).toEqual({ reason: 'required' });
    if (!asked.options) expect(check(asked, ' \t\u00a0\r\n').fault).toEqual({ reason: 'required' });
  });

  test('that is a checkbox must be checked', () => {
    expect(check(field('checkbox', { required: true }), 'false').fault).toEqual({ reason: 'required' });
    expect(check(field('checkbox', { required: true }), 'true')).toEqual({ value: 'true', fault: undefined });
  });
});

describe('an optional field', () => {
  test.each(formFieldTypes)('%s may be absent', (type) => {
    const { value, fault } = check(field(type, { options: ['x'] }));
    expect(fault).toBeUndefined();
    expect(value).toBe(type === 'checkbox' ? 'false' : '');
  });
});

test('checkboxes are "true" or "false"', () => {
  for (const sent of ['true', 'on']) expect(check(field('checkbox'), sent).value).toBe('true');
  for (const sent of ['', 'false', 'no', '1e9']) expect(check(field('checkbox'), sent).value).toBe('false');
});

test('an option must be exactly one of the field’s', () => {
  for (const type of ['select', 'radio'] as const) {
    const asked = field(type, { options: ['Yes', ' No '] });
    expect(check(asked, ' No ')).toEqual({ value: ' No ', fault: undefined });
    for (const sent of ['yes', 'No', 'Yes ', 'Maybe'])
      expect(check(asked, sent).fault).toEqual({ reason: 'option' });
  }
});

test('length is counted in characters, and a line break counts as one', () => {
  const asked = field('textarea', { maxLength: 3 });
  expect(check(asked, '😀😀😀').fault).toBeUndefined();
  expect(check(asked, 'a\r\nb')).toEqual({ value: 'a\nb', fault: undefined });
  expect(check(asked, '😀😀😀😀').fault).toEqual({ reason: 'tooLong', charactersMax: 3, characters: 4 });
  expect(check(field('text'), 'x'.repeat(1_001)).fault).toMatchObject({ charactersMax: 1_000 });
  expect(check(field('textarea'), 'x'.repeat(8_001)).fault).toMatchObject({ charactersMax: 8_000 });
});

test('invalid input is kept as typed', () => {
  expect(check(field('email'), 'not an address').value).toBe('not an address');
  expect(check(field('text', { maxLength: 2 }), 'abc').value).toBe('abc');
});

test('several values of one field are rejected', () => {
  for (const type of formFieldTypes)
    expect(check(field(type, { options: ['x'] }), 'x', 'x').fault).toEqual({ reason: 'several' });
});

test('control characters are not stored', () => {
  expect(check(field('text'), 'a\u0000b\nc\u001b[31m').value).toBe('a b c [31m');
  expect(check(field('textarea'), 'a\u0000b\nc\td\u0007').value).toBe('ab\nc\td');
});

test.each([
  'a@b',
  "ann.o'neil+tag@example.co.uk",
  'UPPER@EXAMPLE.COM',
  'ann@münchen.example',
  'ann@例え.テスト',
  ' padded@example.com ',
])('the address %j is taken', (sent) => {
  expect(check(field('email'), sent).fault).toBeUndefined();
});

test.each([
  'a',
  '@b',
  'a@',
  'a b@c.d',
  'a@b..c',
  'a@-b.c',
  'a@b@c',
  'ann <a@b.c>',
  'a@b.c, d@e.f',
  `a@${'b'.repeat(64)}.c`,
  `${'a'.repeat(320)}@b.c`,
  `a@${'ü'.repeat(900)}`,
])('the address %j is refused', (sent) => {
  expect(check(field('email'), sent).fault).toEqual({ reason: 'email' });
});

test.each([
  '+49 30 901820',
  '030/90 18 20',
  '(555) 123-4567',
  '0044 20 7946 0958',
  '110',
  '+1 555.123.4567 ext. 89',
  '٠١٢٣٤٥٦٧٨٩',
])('the number %j is taken', (sent) => {
  expect(check(field('phone'), sent).fault).toBeUndefined();
});

test.each([
  '12',
  'call me',
  '+12',
  '++49 30 901820',
  '1234567890123456',
  '555-CALL',
  '+49 30 901820;',
  ' '.repeat(900) + 'x'.repeat(90),
])('the number %j is refused', (sent) => {
  expect(check(field('phone'), sent).fault).toEqual({ reason: 'phone' });
});

/** Character by character, without a regular expression. */
const slowly = {
  isBlank: (text: string): boolean => [...text].every((each) => each.trim() === ''),
  isEmail(text: string): boolean {
    const parts = text.split('@');
    if (parts.length !== 2 || text.length > 320) return false;
    const [local = '', domain = ''] = parts;
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const named = `${letters}${letters.toUpperCase()}0123456789`;
    const isLabel = (label: string) =>
      label.length >= 1 &&
      label.length <= 63 &&
      [...label].every((each) => named.includes(each) || each === '-') &&
      !label.startsWith('-') &&
      !label.endsWith('-');
    return (
      local !== '' &&
      [...local].every((each) => `${named}.!#$%&'*+/=?^_\`{|}~-`.includes(each)) &&
      domain.split('.').every(isLabel)
    );
  },
  isPhone(text: string): boolean {
    const plus = text.startsWith('+') || text.startsWith('00');
    const number = text.startsWith('+') ? text.slice(1) : plus ? text.slice(2) : text;
    const digits = [...number].filter((each) => '0123456789'.includes(each)).length;
    return (
      text.length <= 60 &&
      [...number].every((each) => '0123456789 ().-/'.includes(each)) &&
      digits >= (plus ? 7 : 3) &&
      digits <= 15
    );
  },
  faultOf(asked: FormField, sent: readonly string[]): ValueFault['reason'] | undefined {
    if (sent.length > 1) return 'several';
    const [given = ''] = sent;
    if (asked.type === 'checkbox')
      return asked.required && given !== 'true' && given !== 'on' ? 'required' : undefined;
    const isChoice = asked.type === 'select' || asked.type === 'radio';
    if (isChoice ? given === '' : slowly.isBlank(given)) return asked.required ? 'required' : undefined;
    if (isChoice) return asked.options?.some((option) => option === given) ? undefined : 'option';
    const typed = given.trim();
    if (Array.from(typed).length > (asked.maxLength ?? (asked.type === 'textarea' ? 8_000 : 1_000)))
      return 'tooLong';
    if (asked.type === 'email') return slowly.isEmail(typed) ? undefined : 'email';
    if (asked.type === 'phone') return slowly.isPhone(typed) ? undefined : 'phone';
    return undefined;
  },
};

const printable = fc.string({ unit: 'grapheme-composite' });
const almostEmail = fc.string({
  unit: fc.constantFrom('a', 'Z', '9', '@', '.', '-', '+', ' ', '"', 'ab@c.d'),
});
const almostPhone = fc.string({
  unit: fc.constantFrom('0', '5', '00', '+', ' ', '-', '(', ')', '/', '.', '1234567'),
});
const options = ['one', 'two', ' ', 'on'];
const value = fc.oneof(
  printable,
  almostEmail,
  almostPhone,
  fc.emailAddress(),
  fc.constantFrom(...options, '', 'true', 'false'),
);

test('every value is accepted or rejected as by the slow implementation', () => {
  const asked = fc.record({
    type: fc.constantFrom(...formFieldTypes),
    required: fc.boolean(),
    maxLength: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(asked, fc.array(value, { maxLength: 2 }), ({ type, required, maxLength }, sent) => {
      const one = field(type, { required, options, ...(maxLength !== undefined && { maxLength }) });
      const plain = sent.filter((each) => !/[\p{Cc}\u2028\u2029]/u.test(each));
      expect(check(one, ...plain).fault?.reason).toBe(slowly.faultOf(one, plain));
    }),
    { numRuns: 3_000 },
  );
});

test('a form has one value per field, whatever is sent', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'constructor', 'toString', 'valueOf', 'x-1'));
  const pairs = fc.array(
    fc.tuple(fc.constantFrom('f.a', 'f.constructor', 'a', 'f.', 'f.__proto__', '_token'), value),
  );
  fc.assert(
    fc.property(ids, pairs, (fieldIds, sent) => {
      const fields = fieldIds.map((id) => field('text', { id }));
      const { values, faults } = checkValues(fields, new Map(sent.map(([name, text]) => [name, [text]])));
      expect(Object.keys(values)).toEqual(fieldIds);
      for (const id of faults.keys()) expect(fieldIds).toContain(id);
    }),
  );
});
