import { describe, expect, it } from 'vitest';
import { giveBack, takePixels } from './pixel-memory.ts';

const bytesOf = (pixels: Int32Array<ArrayBuffer>): Buffer => Buffer.from(pixels.buffer);

describe('the memory of pictures', () => {
  it('is transparent when it is taken again', () => {
    const first = takePixels(9).fill(-1);
    giveBack(bytesOf(first));
    const second = takePixels(9);
    expect(second).toBe(first);
    expect([...second]).toEqual(Array(9).fill(0));
  });

  it('has one user at a time, even if it is given back twice', () => {
    const first = takePixels(10);
    giveBack(bytesOf(first));
    giveBack(bytesOf(first));
    expect(takePixels(10)).toBe(first);
    expect(takePixels(10)).not.toBe(first);
  });

  it('is never that of a buffer from elsewhere', () => {
    const foreign = Buffer.from(new Int32Array(11).buffer);
    giveBack(foreign);
    expect(takePixels(11).buffer).not.toBe(foreign.buffer);
  });

  it('is kept for four pictures only', () => {
    const pictures = Array.from({ length: 5 }, () => takePixels(12));
    for (const each of pictures) giveBack(bytesOf(each));
    const again = Array.from({ length: 5 }, () => takePixels(12));
    expect(again.filter((each) => pictures.includes(each))).toHaveLength(4);
  });
});
