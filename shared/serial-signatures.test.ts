import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSerialSignatures, type SerialKeys } from './serial-signatures.ts';

const key = (fill: number): Buffer => Buffer.alloc(32, fill);
const first: SerialKeys = new Map([[1, key(1)]]);
const third: SerialKeys = new Map([...first, [2, key(2)], [3, key(3)]]);
const gtin = '09506000134352';

describe('the signature of an item', () => {
  it('is genuine only under its own key', () => {
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

  const checkedBy = (keys: SerialKeys, generation: number): string => {
    const signer = createSerialSignatures(new Map([[generation, key(7)]]));
    const itemId = signer.createItemId();
    const { check, checkSerial } = createSerialSignatures(keys);
    const checked = check(itemId, signer.sign(itemId, generation));
    expect(checkSerial(gtin, signer.serialOf(gtin, itemId, generation)).check).toBe(checked);
    return checked;
  };

  it('of a generation that a rollout may bring, or that is missing here, is neither genuine nor forged', () => {
    for (const generation of [2, 3]) expect(checkedBy(first, generation)).toBe('unknown_key');
    const gap: SerialKeys = new Map([
      [4, key(4)],
      [57, key(57)],
    ]);
    for (const generation of [1, 3, 5, 56]) expect(checkedBy(gap, generation)).toBe('unknown_key');
  });

  it('of a generation that cannot exist, three or more above the latest, is forged', () => {
    for (const generation of [4, 5, 57]) expect(checkedBy(first, generation)).toBe('forged');
    for (const generation of [6, 57]) expect(checkedBy(third, generation)).toBe('forged');
    const { check, createItemId } = createSerialSignatures(first);
    expect(check(createItemId(), 'z'.repeat(16))).toBe('forged');
  });

  it('names its generation', () => {
    const signatures = createSerialSignatures(third);
    const itemId = signatures.createItemId();
    expect([1, 2, 3].map((of) => signatures.generationOf(signatures.sign(itemId, of)))).toEqual([1, 2, 3]);
    expect(['', '0', 'é'].map(signatures.generationOf)).toEqual([-1, -1, -1]);
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

  it('accepts any text', () => {
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
