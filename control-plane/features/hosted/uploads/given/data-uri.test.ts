/** Data URIs, as people and attackers write them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDataUri } from './data-uri.ts';

const bytesMax = 1_000;

const messageOf = (text: string): string => {
  try {
    readDataUri(text, bytesMax);
    return 'read';
  } catch (error) {
    return error instanceof Error ? `${(error as { code?: string }).code}: ${error.message}` : '';
  }
};

test('reads the encoded bytes: head in any case, with parameters, without padding', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.constantFrom(
        'data:image/png;base64,',
        'DATA:Image/PNG;Base64,',
        'data:image/png; name=a.png ;base64,',
      ),
      fc.boolean(),
      (bytes, head, isPadded) => {
        const data = Buffer.from(bytes).toString('base64');
        const read = readDataUri(head + (isPadded ? data : data.replaceAll('=', '')), bytesMax);
        expect(read).toEqual({ type: 'image/png', bytes: Buffer.from(bytes) });
      },
    ),
  );
});

test('accepts only base64', () => {
  const strict = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
  const letters = fc.constantFrom(...'ABab01+/=-_ \n\r\t%é\u{1F600}\0\ud800'.split(''), '\u0141', '\u1141');
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 24 }), (data) => {
      expect(messageOf(`data:image/png;base64,${data}`) === 'read').toBe(strict.test(data));
    }),
    // Padding in the middle ends what the decoder reads.
    { numRuns: 5_000, examples: [['AAA=AA'], ['AA==AAAA']] },
  );
});

test('rejects everything else by name, in a short message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const message = messageOf(text);
      expect(message).toMatch(/^UNPROCESSABLE: dataUrl /);
      expect(message.length).toBeLessThan(300);
    }),
  );
});

test.each([
  ['', "must be a data URI in base64, such as data:image/jpeg;base64,/9j/4AAQ…; given: ''"],
  ['https://example.com/a.png', "given: 'https://example.com/a.png'"],
  [`data:image/png;${'x'.repeat(300)};base64,AAAA`, 'must be a data URI in base64'],
  ['data:image/png,AAAA', "before its comma is no ';base64', but 'data:image/png'"],
  ['data:image/svg+xml,<svg/>', "before its comma is no ';base64'"],
  ['data:image/png;base64,', 'has no data after its comma'],
  ['data:image/png;base64,AAAA\nAAAA', 'it has a line break or a space'],
  ['data:image/png;base64,AAA%3D', "it has '%': it must not be percent-encoded"],
  ['data:image/png;base64,AA-_', "it has '-'"],
  ['data:image/png;base64,AAAAA', 'it is cut off'],
  ['data:image/png;base64,AA==AAAA', "it has '='"],
])('%j is refused: %s', (text, message) => {
  expect(messageOf(text)).toContain(`UNPROCESSABLE: dataUrl `);
  expect(messageOf(text)).toContain(message);
});

test('reads a picture of exactly the limit; one byte more is LIMIT_FILE_SIZE, before it is decoded', () => {
  const uri = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;
  for (const bytes of [bytesMax - 2, bytesMax - 1, bytesMax])
    expect(readDataUri(uri(bytes), bytesMax).bytes.length).toBe(bytes);
  for (const bytes of [bytesMax + 1, bytesMax + 2, bytesMax + 3])
    expect(messageOf(uri(bytes))).toBe('LIMIT_FILE_SIZE: dataUrl must not be larger than 1000 bytes');
  expect(messageOf(`data:image/png;base64,${'!'.repeat(100_000)}`)).toMatch(/^LIMIT_FILE_SIZE/);
});
