import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCorrectionLevels } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { capacity, encodeMatrix, versionMax } from './matrix.ts';

const refusal = (encode: () => unknown): ClientError => {
  try {
    encode();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('was not refused');
};

describe('a matrix', () => {
  it('has 21 modules a side in version 1, and four more in each further version', () => {
    for (let version = 1; version <= versionMax; version++) {
      expect(encodeMatrix('https://example.com'.slice(0, 7), 'L', { version }).size).toBe(17 + 4 * version);
    }
  });

  it('takes the smallest version that holds the text', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.constantFrom(...errorCorrectionLevels),
        (text, level) => {
          const { size } = encodeMatrix(text, level);
          if (size > 21)
            expect(() => encodeMatrix(text, level, { version: (size - 17) / 4 - 1 })).toThrow(ClientError);
        },
      ),
    );
  });

  it('has an eye in three corners and none in the fourth', () => {
    const { size, isDark } = encodeMatrix('https://example.com', 'M');
    const eye = (row: number, column: number): string =>
      Array.from({ length: 7 }, (_, y) =>
        Array.from({ length: 7 }, (_, x) => (isDark(row + y, column + x) ? '#' : '.')).join(''),
      ).join('\n');
    const expected = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'].join('\n');
    expect(eye(0, 0)).toBe(expected);
    expect(eye(0, size - 7)).toBe(expected);
    expect(eye(size - 7, 0)).toBe(expected);
    expect(eye(size - 7, size - 7)).not.toBe(expected);
  });
});

describe('the capacity of a symbol', () => {
  it.each([
    ['L', 2953, 4296, 7089],
    ['M', 2331, 3391, 5596],
    ['Q', 1663, 2420, 3993],
    ['H', 1273, 1852, 3057],
  ] as const)('at level %s is %i bytes, %i characters or %i digits', (level, bytes, characters, digits) => {
    expect(capacity(level)).toBe(bytes);
    expect(capacity(level, versionMax, 'alphanumeric')).toBe(characters);
    expect(capacity(level, versionMax, 'numeric')).toBe(digits);
    for (const [character, length] of [
      ['a', bytes],
      ['A', characters],
      ['7', digits],
    ] as const) {
      expect(encodeMatrix(character.repeat(length), level).size).toBe(177);
      expect(refusal(() => encodeMatrix(character.repeat(length + 1), level)).code).toBe('UNPROCESSABLE');
    }
  });

  it('equals the encoder’s own limit, in every version at every level', () => {
    for (let version = 1; version <= versionMax; version++) {
      for (const level of errorCorrectionLevels) {
        for (const [mode, character] of [
          ['byte', 'a'],
          ['alphanumeric', 'A'],
          ['numeric', '7'],
        ] as const) {
          const text = character.repeat(capacity(level, version, mode));
          expect(encodeMatrix(text, level, { version }).size).toBe(17 + 4 * version);
          expect(() => encodeMatrix(text + character, level, { version })).toThrow(ClientError);
        }
      }
    }
  });

  it('is counted in bytes of UTF-8', () => {
    expect(encodeMatrix('é'.repeat(1165), 'M').size).toBe(177);
    expect(() => encodeMatrix('é'.repeat(1166), 'M')).toThrow('data has 2332 bytes');
  });
});

describe('a text that cannot be encoded is refused, naming data', () => {
  it('with the number of bytes that fit at each level', () => {
    expect(refusal(() => encodeMatrix('x'.repeat(2000), 'H')).message).toBe(
      'data has 2000 bytes, too many for level H: a QR code holds L 2953, M 2331, Q 1663, H 1273',
    );
  });

  it('with the number of bytes that fit the requested version', () => {
    expect(refusal(() => encodeMatrix('x'.repeat(20), 'M', { version: 1 })).message).toBe(
      'data has 20 bytes, too many for level M: a QR code of qrOptions.typeNumber 1 holds L 17, M 14, Q 11, H 7',
    );
  });

  it.each([
    ['that is empty', ''],
    ['that is not well-formed', 'a\ud800b'],
  ])('%s', (_, text) => {
    const { code, message } = refusal(() => encodeMatrix(text, 'M'));
    expect(code).toBe('UNPROCESSABLE');
    expect(message).toMatch(/^data must/);
  });
});

describe('modes are chosen part by part', () => {
  const sizeOf = (text: string, mode?: 'byte') => encodeMatrix(text, 'M', { mode }).size;

  it('if that makes the symbol smaller', () => {
    expect(sizeOf('https://x.io/12345678901234567890/ABCDEFGHIJKLMNOPQRST')).toBeLessThan(
      sizeOf('https://x.io/12345678901234567890/ABCDEFGHIJKLMNOPQRST', 'byte'),
    );
  });

  it('and never makes it larger', () => {
    const unit = fc.constantFrom(...'0123456789ABCXYZ $%abcxyzä漢');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 300 }), (text) => {
        expect(sizeOf(text)).toBeLessThanOrEqual(sizeOf(text, 'byte'));
      }),
    );
  });

  it.each([
    ['numeric', '12a'],
    ['alphanumeric', 'ABc'],
  ] as const)('unless one is forced, which must hold the text: %s, %s', (mode, text) => {
    expect(refusal(() => encodeMatrix(text, 'M', { mode })).message).toMatch(
      /^qrOptions\.mode \w+ holds nothing but/,
    );
    expect(encodeMatrix('12', 'M', { mode }).size).toBe(21);
  });
});
