import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type StructuredType, structuredFields } from '#schemas/api/payloads.ts';
import { buildPayload } from '#shared/payloads/build.ts';
import { readSymbol } from '../../deploy/testing/decode.ts';
import { createRenderer, resolveStyle } from './index.ts';

const renderer = createRenderer({ threads: 1 });
afterAll(() => renderer.close());

const read = async (payload: string, fnc1 = false) => {
  const look = resolveStyle({});
  const { body, decoded } = await renderer.render({ payload, fnc1, look, format: 'png', width: 800 });
  expect(decoded).toBe('yes');
  return readSymbol(body);
};

const samples: Record<StructuredType, object> = {
  wifi: { ssid: 'Café; "Süd", 5\\GHz', encryption: 'WPA', password: 'p;a:s,s"w\\örd' },
  email: { to: 'ada@münchen.example', subject: 'Grüße & mehr', body: 'Zeile 1\nZeile 2 100%' },
  sms: { phone: '+49 89 123', message: 'Hi: ça va? 漢字' },
  phone: { phone: '+49 (89) 123-456' },
  geo: { latitude: 48.1371, longitude: -11.5754 },
  vcard: {
    firstName: 'Zoë',
    lastName: 'Müller; Söhne',
    organization: 'Łódź, Ltd',
    phone: '+491',
    address: 'A\nB',
  },
  mecard: { name: 'Ørsted, H.C.', note: 'a;b:c\\d', url: 'https://example.com/?a=b;c' },
  vcalendar: { title: 'Σύσκεψη, 10%', start: '2030-01-31', end: '2030-02-01', description: 'x\ny' },
  gs1: { gtin: '9506000134352', batch: 'A+B', expiry: '2030-01-31' },
};

describe("every data type's decoded text equals its payload to the byte", () => {
  it.each(Object.entries(samples) as [StructuredType, object][])('%s', async (type, fields) => {
    const payload = buildPayload(type, structuredFields[type].parse(fields) as never);
    const { text, bytes } = await read(payload);
    expect(text).toBe(payload);
    expect(bytes.equals(Buffer.from(payload))).toBe(true);
  });

  it('url and text, of any characters and any mix of modes', async () => {
    const unit = fc.constantFrom(...'0123456789012345ABCDEFXYZ $%*+-./:abcxyzäöéßЖ漢ﾃ🎉');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 120 }), async (payload) => {
        const { text, bytes } = await read(payload);
        expect(text).toBe(payload);
        expect(bytes.equals(Buffer.from(payload))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('a GS1 element string, which begins with FNC1 and keeps its separators and percent signs', async () => {
    for (const fields of [
      { batch: 'AB%12', serial: 'S/1' },
      { batch: '%%%', serial: 'a%b', expiry: '300200' },
      { serial: 'ABCDEFGH' },
      { batch: '123456', serial: '654321' },
    ]) {
      const given = structuredFields.gs1.parse({
        gtin: '9506000134352',
        format: 'element-string',
        ...fields,
      });
      const payload = buildPayload('gs1', given);
      const { bytes, isGs1 } = await read(payload, true);
      expect(bytes.toString()).toBe(payload);
      expect(isGs1).toBe(true);
    }
  });
});
