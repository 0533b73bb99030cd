import { describe, expect, it } from 'vitest';
import { cornerTypes, dotTypes, presets } from '#schemas/api/style.ts';
import { weakColors } from './contrast.ts';
import { presetStyles } from './presets.ts';
import { resolveStyle } from './resolve-style.ts';

describe('a style', () => {
  it('without keys is black squares on white with a quiet zone of four modules', () => {
    expect(resolveStyle({})).toEqual({
      shape: 'square',
      margin: 4,
      level: 'M',
      version: undefined,
      mode: 'auto',
      dots: { type: 'square', paint: '#000000' },
      cornersSquare: { type: 'square', paint: undefined },
      cornersDot: { type: 'square', paint: undefined },
      background: { paint: '#ffffff', round: 0 },
      logo: undefined,
      frame: undefined,
    });
  });

  it('gives eyes and eye-dots the type of the dots by default', () => {
    for (const type of dotTypes) {
      const { cornersSquare, cornersDot } = resolveStyle({ dotsOptions: { type } });
      expect(cornersSquare.type).toBe(type);
      expect(cornersDot.type).toBe(type === 'dots' ? 'dot' : type);
    }
  });

  it('draws an eye-dot of dots, which no reader reads, as a single dot', () => {
    for (const type of cornerTypes) {
      expect(resolveStyle({ cornersDotOptions: { type } }).cornersDot.type).toBe(
        type === 'dots' ? 'dot' : type,
      );
    }
  });

  it('with a logo has level H by default', () => {
    expect(resolveStyle({ image: 'x' }).level).toBe('H');
    expect(resolveStyle({ image: 'x', qrOptions: { errorCorrectionLevel: 'Q' } }).level).toBe('Q');
  });

  it('with a logo of size 0 has no logo', () => {
    const { logo, level } = resolveStyle({ image: 'x', imageOptions: { imageSize: 0 } });
    expect({ logo, level }).toEqual({ logo: undefined, level: 'M' });
  });

  it('of typeNumber 0 takes the smallest symbol', () => {
    expect(resolveStyle({ qrOptions: { typeNumber: 0 } }).version).toBeUndefined();
    expect(resolveStyle({ qrOptions: { typeNumber: 7 } }).version).toBe(7);
  });
});

describe('a preset', () => {
  it.each(presets)('%s is dark on light', (preset) => {
    expect(weakColors(resolveStyle({ preset }), { name: 'white', color: '#ffffff' })).toEqual([]);
  });

  it('explicit style fields sent alongside win, key by key', () => {
    const look = resolveStyle({
      preset: 'menu',
      dotsOptions: { type: 'dots' },
      frame: { id: 'banner', text: 'Carte', uppercase: true },
    });
    expect(look.dots).toEqual({ type: 'dots', paint: presetStyles.menu.dotsOptions?.color });
    expect(look.frame).toMatchObject({ id: 'banner', text: 'CARTE', font: 'serif' });
    expect(resolveStyle({ preset: 'menu', frame: { id: 'none' } }).frame).toBeUndefined();
  });

  it('looks the same as the same keys sent explicitly or from a brand kit', () => {
    for (const preset of presets) {
      const look = resolveStyle({ preset });
      // A given text colour is kept in frames that do not keep a preset's, and is refused if illegible.
      const textColorGiven = presetStyles[preset].frame?.textColor !== undefined;
      const asSent = { ...look, frame: look.frame && { ...look.frame, textColorGiven } };
      expect(resolveStyle(presetStyles[preset])).toEqual(asSent);
      expect(resolveStyle({}, presetStyles[preset])).toEqual(asSent);
    }
  });
});

describe('a frame', () => {
  it('continues the solid colours of its code by default', () => {
    const { frame } = resolveStyle({
      dotsOptions: { color: '#123456' },
      backgroundOptions: { color: '#fefefe' },
      frame: { id: 'banner' },
    });
    expect(frame).toMatchObject({
      color: '#123456',
      background: '#fefefe',
      textColor: '#fefefe',
      text: 'Scan me',
    });
  });

  it('with the id none is no frame', () => {
    expect(resolveStyle({ frame: { id: 'none', text: 'x' } }).frame).toBeUndefined();
  });
});
