import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FieldsOf, type StructuredType, structuredFields } from '#schemas/api/payloads.ts';
import { buildPayload, readyPayload } from './build.ts';
import { gs1Location, gs1Symbol } from './build-gs1.ts';
import { parseEmail } from './email.ts';
import { parseGeo } from './geo.ts';
import { dialable } from './links.ts';
import { parseMecard } from './mecard.ts';
import { parsePhone } from './phone.ts';
import { parseSms } from './sms.ts';
import { parseVcalendar } from './vcalendar.ts';
import { parseVcard } from './vcard.ts';
import { parseWifi } from './wifi.ts';

/** The special characters of all formats, and characters far from ASCII. */
const awkward = fc.string({
  unit: fc.constantFrom(...'aZ09 \\;:,"\'&?=#%+@/<>()-_.äß漢🎉'),
  minLength: 1,
  maxLength: 30,
});
const text = awkward.map((value) => value.trim()).filter((value) => value !== '');
const lines = fc.array(text, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'));
const phone = fc.constantFrom('+49 (89) 123-456', '0891234567', '+1.555.0100', '112');
const email = fc.constantFrom('ada@example.com', 'a+b%c@münchen.example', "o'hara@example.org");
const web = fc.constantFrom('https://example.com/a?b=c,d;e', 'http://example.org/');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Without undefined keys, as in JSON. */
const defined = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value));

const check = <Type extends StructuredType>(
  type: Type,
  fields: fc.Arbitrary<object>,
  compare: (payload: string, given: FieldsOf<Type>) => void,
) => {
  fc.assert(
    fc.property(fields, (given) => {
      const accepted = structuredFields[type].parse(defined(given)) as FieldsOf<Type>;
      compare(buildPayload(type, accepted), accepted);
    }),
    { numRuns: 300 },
  );
};

describe('built payloads can be read, and say the same', () => {
  test('wifi', () => {
    const network = fc.record({
      ssid: awkward,
      encryption: fc.constantFrom('WPA', 'WEP'),
      password: fc.oneof(awkward, fc.constantFrom('0123abcd', '12345678')),
      hidden: optional(fc.boolean()),
    });
    check('wifi', network, (payload, { ssid, encryption, password = '', hidden = false }) =>
      expect(parseWifi(payload)).toEqual({ ssid, encryption, password, hidden }),
    );
    expect(buildPayload('wifi', { ssid: 'Guests', encryption: 'nopass' })).toBe('WIFI:T:nopass;S:Guests;;');
    expect(buildPayload('wifi', { ssid: 'cafe', encryption: 'WPA', password: 'a;b' })).toBe(
      'WIFI:T:WPA;S:"cafe";P:a\\;b;;',
    );
  });

  test('email', () => {
    const message = fc.record({ to: email, subject: optional(text), body: optional(lines) });
    check('email', message, (payload, given) => {
      expect(payload).toMatch(/^mailto:[!-~]+$/);
      expect(parseEmail(payload)).toEqual(given);
    });
  });

  test('sms', () => {
    check('sms', fc.record({ phone, message: optional(lines) }), (payload, given) =>
      expect(parseSms(payload)).toEqual({ ...given, phone: dialable(given.phone) }),
    );
    expect(buildPayload('sms', { phone: '+49 89 1', message: 'Hi: you?body=x' })).toBe(
      'SMSTO:+49891:Hi: you?body=x',
    );
  });

  test('phone', () => {
    check('phone', fc.record({ phone }), (payload, given) =>
      expect(parsePhone(payload)).toEqual({ phone: dialable(given.phone) }),
    );
  });

  test('geo', () => {
    const degree = (max: number) =>
      fc.integer({ min: -max * 1e6, max: max * 1e6 }).map((micro) => micro / 1e6);
    check('geo', fc.record({ latitude: degree(90), longitude: degree(180) }), (payload, given) =>
      expect(parseGeo(payload)).toEqual({ latitude: given.latitude || 0, longitude: given.longitude || 0 }),
    );
  });

  test('vcard', () => {
    const card = fc.record({
      firstName: text,
      lastName: optional(text),
      phone: optional(phone),
      email: optional(email),
      organization: optional(text),
      title: optional(text),
      website: optional(web),
      address: optional(lines),
    });
    const labelled = (value: string | undefined) => (value === undefined ? [] : [{ value, label: '' }]);
    check('vcard', card, (payload, given) => {
      expect(payload).toMatch(/^BEGIN:VCARD\r\nVERSION:4\.0\r\n[\s\S]*\r\nEND:VCARD\r\n$/);
      expect(parseVcard(payload)).toMatchObject({
        firstName: given.firstName,
        lastName: given.lastName ?? '',
        title: given.title ?? '',
        phones: labelled(given.phone),
        emails: labelled(given.email),
        websites: given.website === undefined ? [] : [given.website],
        addresses: labelled(given.address),
        name: [given.firstName, given.lastName].filter(Boolean).join(' '),
      });
    });
  });

  test('mecard', () => {
    const card = fc.record({
      name: text,
      phone: optional(phone),
      email: optional(email),
      url: optional(web),
      address: optional(text),
      note: optional(text),
    });
    check('mecard', card, (payload, given) => {
      expect(payload).toMatch(/^MECARD:N:.*;;$/);
      const contact = parseMecard(payload);
      expect(contact?.name).toBe(given.name);
      expect(contact?.phones.map(({ value }) => value)).toEqual([given.phone].filter(Boolean));
      expect(contact?.emails.map(({ value }) => value)).toEqual([given.email].filter(Boolean));
      expect(contact?.websites).toEqual([given.url].filter(Boolean));
      expect(contact?.addresses.map(({ value }) => value)).toEqual([given.address].filter(Boolean));
      expect(contact?.note).toBe(given.note ?? '');
    });
  });

  test('vcalendar', () => {
    const form = fc.constantFrom(
      { start: '2030-01-31', end: '2030-02-02' },
      { start: '2030-01-31T12:00:00Z', end: '2030-01-31T13:30:00Z' },
      { start: '2030-01-31T12:00:00', end: '2030-01-31T13:00:00' },
      { start: '2030-01-31T12:00:00', end: '2030-01-31T13:00:00', timeZone: 'Europe/Berlin' },
    );
    const event = fc
      .record({ title: text, when: form, location: optional(text), description: optional(lines) })
      .map(({ when, ...rest }) => ({ ...rest, ...when }));
    check('vcalendar', event, (payload, given) => expect(parseVcalendar(payload)).toEqual(given));
    expect(
      parseVcalendar(
        buildPayload('vcalendar', {
          title: 'x',
          start: '2030-01-31T12:00+02:00',
          end: '2030-01-31T15:00+02:00',
        }),
      ),
    ).toMatchObject({ start: '2030-01-31T10:00:00Z', end: '2030-01-31T13:00:00Z' });
  });
});

describe('a GS1 Digital Link', () => {
  const build = (fields: object) => buildPayload('gs1', structuredFields.gs1.parse(fields));

  test('has the GTIN with 14 digits, then batch and serial in the path, and the expiry in the query', () => {
    expect(build({ gtin: '9506000134352' })).toBe('https://id.gs1.org/01/09506000134352');
    expect(build({ gtin: '40170725', serial: 'S/1', batch: 'A+B', expiry: '2030-01-31' })).toBe(
      'https://id.gs1.org/01/00000040170725/10/A%2BB/21/S%2F1?17=300131',
    );
    expect(build({ gtin: '9506000134352', expiry: '300200' })).toBe(
      'https://id.gs1.org/01/09506000134352?17=300200',
    );
  });

  test('has any application identifiers, and the requested host', () => {
    const elements = { '414': '9506000134352', '254': 'A/1', '99': 'X' };
    expect(build({ elements })).toBe('https://id.gs1.org/414/9506000134352/254/A%2F1?99=X');
    expect(build({ gtin: '9506000134352', elements: { '22': '2A' }, domain: 'ID.Example.com' })).toBe(
      'https://id.example.com/01/09506000134352/22/2A',
    );
  });

  const gtin = '9506000134352';

  test.each([
    [{}, 'is required where elements is not given'],
    [{ gtin: 'abc' }, 'must be a GTIN'],
    [{ gtin, expiry: '301301' }, 'must be a day'],
    [{ gtin, expiry: '300230' }, 'must be a day'],
    [{ gtin, expiry: '2030-02-29' }, 'must be a day'],
    [{ gtin, elements: { '01': '09506000134352' } }, 'must not be given with gtin'],
    [{ gtin, elements: { gtin: '1' } }, 'must be an application identifier'],
    [{ gtin, domain: 'https://example.com' }, 'must be the name of a host'],
    [{ gtin, domain: 'example.com', format: 'element-string' }, 'must not be given for'],
  ])('%j is refused', (fields, message) => {
    expect(structuredFields.gs1.safeParse(fields).error?.issues[0]?.message).toContain(message);
  });

  test.each([
    [
      { gtin: '950600013435' },
      'data.gtin must be valid GS1 data: AI (01): The numeric check digit is incorrect, at character 12: expected',
    ],
    [{ gtin: '9506000134353' }, 'at character 13: expected 2'],
    [
      { gtin, batch: 'x'.repeat(21) },
      'data.batch must be valid GS1 data: AI (10) value is too long, at character 21',
    ],
    [
      { gtin, serial: 'Aü' },
      'data.serial must be valid GS1 data: AI (21): A non-CSET 82 character was found where a CSET 82 character is expected, at character 2',
    ],
    [
      { gtin, elements: { '37': '5' } },
      'data.gtin must be valid GS1 data: It is invalid to pair AI (01) with AI (37)',
    ],
    [
      { elements: { '02': '09506000134352' } },
      'data.elements.02 must be valid GS1 data: Required AIs for AI (02) are not satisfied: 37',
    ],
    [
      { gtin, elements: { '8200': 'x' } },
      'data.elements.8200 must be valid GS1 data: AI (8200) is not a valid DL URI data attribute',
    ],
    [{ elements: { '89': 'x' } }, 'data must be valid GS1 data: Unrecognised AI: 89'],
    [
      { elements: { '400': 'x' } },
      'data must be valid GS1 data: Cannot create a DL URI without a primary key AI',
    ],
    [{ elements: {} }, 'data must be valid GS1 data: The AI data is empty'],
  ])('%j is refused in the words of GS1’s checker', (fields, message) => {
    expect(() => build(fields)).toThrow(message);
  });
});

describe('a GS1 element string', () => {
  const symbol = (text: string) => gs1Symbol('data', text);

  test('may contain a value of dots in a symbol, but not in a path, where a client would go a step up', () => {
    expect(symbol('(01)09506000134352(10)..').payload).toBe('010950600013435210..');
    const message =
      'AI (10) value .. cannot be a component of a Digital Link, at character 1: expected a value';
    expect(() => gs1Location('data', '(01)09506000134352(10)..')).toThrow(message);
    for (const text of [
      'https://id.gs1.org/01/09506000134352/10/..',
      'https://a.example/01/09506000134352/10/%2E.',
    ])
      expect(() => symbol(text)).toThrow(message);
  });

  test('is given with brackets or FNC1, and keeps the order of its elements', () => {
    const held = '0109506000134352235XYZ\x1d10A1';
    for (const text of ['(01)09506000134352(235)XYZ(10)A1', '^0109506000134352235XYZ^10A1', `]Q3${held}`])
      expect(symbol(text)).toEqual({ payload: held, fnc1: true });
  });

  test('of a dynamic code becomes a Digital Link; a Digital Link is kept', () => {
    expect(gs1Location('data', '(01)09506000134352(235)XYZ(10)A1')).toBe(
      'https://id.gs1.org/01/09506000134352/235/XYZ?10=A1',
    );
    expect(gs1Location('data', '(01)09506000134352(235)XYZ(10)..')).toBe(
      'https://id.gs1.org/01/09506000134352/235/XYZ?10=..',
    );
    const uri = 'https://example.com/shop/01/09506000134352?linkType=gs1:pip&17=271200';
    expect(gs1Location('data', uri)).toBe(uri);
    expect(symbol(uri)).toEqual({ payload: uri, fnc1: false });
  });

  test.each([
    [
      '(01)09506000134353',
      'data must be a GS1 Digital Link such as https://id.gs1.org/01/09506000134352 or an element string such as (01)09506000134352(10)A1: AI (01): The numeric check digit is incorrect, at character 14: expected 2',
    ],
    ['0109506000134352', 'Missing FNC1 in first position, at character 1'],
    [
      'https://example.com/01/09506000134353',
      'data must be a GS1 Digital Link: AI (01): The numeric check digit is incorrect, at character 14: expected 2',
    ],
    [
      'https://example.com/',
      'data must be a GS1 Digital Link: No GS1 DL keys found in path info, at character 20',
    ],
    [
      'https://example.com/01/9506000134352',
      'AI (01) value is too short, at character 14: expected 14 characters',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => symbol(text)).toThrow(message);
    expect(() => gs1Location('data', text)).toThrow(message);
  });

  test('has its fixed-length elements first, and a separator after one that is neither fixed nor last', () => {
    const build = (fields: object) =>
      buildPayload(
        'gs1',
        structuredFields.gs1.parse({ gtin: '9506000134352', format: 'element-string', ...fields }),
      );
    expect(build({})).toBe('0109506000134352');
    expect(build({ batch: 'A%1' })).toBe('010950600013435210A%1');
    expect(build({ serial: 'S/1', batch: 'A+B', expiry: '2030-01-31' })).toBe(
      '01095060001343521730013110A+B\x1d21S/1',
    );
  });
});

describe('a text is accepted as the finished payload', () => {
  test.each([
    ['email', 'ada@example.com', 'mailto:ada@example.com'],
    ['email', 'mailto:ada@example.com?subject=Hi', 'mailto:ada@example.com?subject=Hi'],
    ['email', 'MATMSG:TO:ada@example.com;SUB:Hi;;', 'MATMSG:TO:ada@example.com;SUB:Hi;;'],
    ['phone', '+49 (89) 123', 'tel:+4989123'],
    ['phone', 'tel:+49-89-123', 'tel:+49-89-123'],
    ['sms', '+49 89 123', 'SMSTO:+4989123'],
    ['sms', 'sms:+4989123?body=Hi', 'sms:+4989123?body=Hi'],
    ['sms', 'SMSTO:+4989123:Hi', 'SMSTO:+4989123:Hi'],
    ['geo', '48.1, 11.5', 'geo:48.1,11.5'],
    ['geo', 'geo:48.1,11.5', 'geo:48.1,11.5'],
    ['text', 'anything: at all', 'anything: at all'],
    ['wifi', 'WIFI:T:nopass;S:x;;', 'WIFI:T:nopass;S:x;;'],
  ] as const)('%s %s becomes %s', (type, given, ready) => {
    expect(readyPayload(type, given)).toBe(ready);
  });

  test.each([
    ['email', 'nobody'],
    ['phone', 'call me'],
    ['sms', 'https://example.com/'],
    ['geo', '91,0'],
    ['wifi', 'WIFI:T:WPA;P:x;;'],
    ['vcard', 'BEGIN:VCARD\nVERSION:4.0\nEND:VCARD'],
    ['vcalendar', 'BEGIN:VCALENDAR\nEND:VCALENDAR'],
    ['mecard', 'MECARD:;;'],
  ] as const)('%s %s is refused', (type, given) => {
    expect(readyPayload(type, given)).toBeUndefined();
  });
});
