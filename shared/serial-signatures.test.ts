import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSerialSignatures, type SerialKeys } from './serial-signatures.ts';

const key = (fill: number): Buffer => Buffer.alloc(32, fill);
const first: SerialKeys = new Map([[1, key(1)]]);
const third: SerialKeys = new Map([...first, [2, key(2)], [3, key(3)]]);
const gtin = '09506000134352';

describe('the signature of an item', () => {
  it('is genuine under its own key alone', () => {
    const signatures = createSerialSignatures(first);
    const others = createSerialSignatures(new Map([[1, key(9)]]));
    const itemId = signatures.createItemId();
    const signature = signatures.sign(itemId, 1);
    expect(signatures.check(itemId, signature)).toBe('genuine');
    expect(others.check(itemId, signature)).toBe('forged');
    expect(signatures.check(signatures.createItemId(), signature)).toBe('forged');
  });

  it('of each of three generations verifies for ever, and the latest one signs', () => {
    const now = createSerialSignatures(third);
    expect(now.generation).toBe(3);
    for (const generation of [1, 2, 3]) {
      const then = createSerialSignatures(new Map([...third].filter(([of]) => of <= generation)));
      const itemId = then.createItemId();
      expect(now.check(itemId, then.sign(itemId, then.generation))).toBe('genuine');
      const serial = then.serialOf(gtin, itemId, then.generation);
      expect(now.checkSerial(gtin, serial)).toEqual({ check: 'genuine', itemId });
    }
  });

  it('of a generation that is not known here is neither genuine nor forged', () => {
    const newer = createSerialSignatures(third);
    const itemId = newer.createItemId();
    expect(createSerialSignatures(first).check(itemId, newer.sign(itemId, 3))).toBe('unknown_key');
  });

  it('is forged with any other character in any place', () => {
    const signatures = createSerialSignatures(first);
    const itemId = signatures.createItemId();
    const signature = signatures.sign(itemId, 1);
    for (let at = 1; at < signature.length; at++) {
      const other = signature[at] === 'z' ? 'y' : 'z';
      const changed = signature.slice(0, at) + other + signature.slice(at + 1);
      expect(signatures.check(itemId, changed)).toBe('forged');
    }
  });

  it('takes any text', () => {
    const signatures = createSerialSignatures(third);
    fc.assert(
      fc.property(fc.string(), fc.string(), (itemId, signature) => {
        expect(signatures.check(itemId, signature)).not.toBe('genuine');
        expect(signatures.checkSerial(gtin, itemId + signature).check).not.toBe('genuine');
      }),
    );
  });
});

describe('the serial of an item', () => {
  it('has 20 characters and carries a check for its GTIN', () => {
    const signatures = createSerialSignatures(first);
    const itemId = signatures.createItemId();
    const serial = signatures.serialOf(gtin, itemId, 1);
    expect(serial).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(signatures.checkSerial(gtin, serial)).toEqual({ check: 'genuine', itemId });
    expect(signatures.checkSerial('09506000134369', serial).check).toBe('forged');
  });
});
