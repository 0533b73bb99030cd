import { describe, expect, it } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { frameIds } from '#schemas/api/style.ts';
import { bandOf, captionContrastMin, checkCaptionColor, distanceOf } from './caption-color.ts';
import { resolveStyle } from './resolve-style.ts';

type Frame = NonNullable<Style['frame']>;

const frameOf = (frame: Frame, rest: Style = {}) => resolveStyle({ ...rest, frame }).frame!;

const purpleToOrange = {
  type: 'linear' as const,
  colorStops: [
    { offset: 0, color: '#4c1d95' },
    { offset: 1, color: '#c2410c' },
  ],
};

describe('a caption without a given colour', () => {
  it.each<[string, Frame, Style]>([
    ['a pale band', { id: 'banner', color: '#ffcc00' }, {}],
    ['a dark ground', { id: 'border', color: '#111111', background: '#222222' }, {}],
    ['a pale frame on white', { id: 'ticket', color: '#ffcc00' }, {}],
    ['a gradient', { id: 'ribbon', color: purpleToOrange }, {}],
    ['paper behind a transparent frame', { id: 'border', color: '#ffee88', background: 'transparent' }, {}],
    ['a band over a transparent ground', { id: 'banner', background: 'transparent' }, {}],
  ])('is legible on %s', (_, frame, rest) => {
    const resolved = frameOf(frame, rest);
    expect(() => checkCaptionColor({ ...resolved, textColorGiven: true })).not.toThrow();
  });

  it('continues the colours of the code if they are legible', () => {
    const style: Style = { dotsOptions: { color: '#123456' }, backgroundOptions: { color: '#fefefe' } };
    expect(frameOf({ id: 'banner' }, style).textColor).toBe('#fefefe');
    expect(frameOf({ id: 'border' }, style).textColor).toBe('#123456');
  });
});

describe('a caption with a given colour', () => {
  it.each<[Frame, string]>([
    [
      { id: 'banner', color: '#ffcc00', textColor: '#ffffff' },
      'frame.textColor #ffffff on frame.color #ffcc00 has a contrast of 1.5 to 1, and a caption needs 3 to 1',
    ],
    [{ id: 'border', textColor: '#eeeeee' }, 'frame.textColor #eeeeee on frame.background #ffffff'],
    [
      { id: 'border', textColor: '#eeeeee', background: 'transparent' },
      'frame.textColor #eeeeee on white paper #ffffff',
    ],
    [
      { id: 'banner', color: purpleToOrange, textColor: '#7c3aed' },
      'frame.textColor #7c3aed on frame.color #c2410c',
    ],
  ])('is refused below 3:1, naming both colours and the ratio: %o', (frame, message) => {
    expect(() => checkCaptionColor(frameOf(frame))).toThrow(message);
  });

  it('is not checked without a caption', () => {
    expect(() => checkCaptionColor(frameOf({ id: 'border', text: ' ', textColor: '#ffffff' }))).not.toThrow();
  });

  it('is used as given in every frame from 3:1 up', () => {
    for (const id of frameIds.filter((each) => each !== 'none')) {
      const frame = frameOf({ id, color: '#5b21b6', background: '#fde68a', textColor: '#dc2626' });
      const band = bandOf(frame).paint;
      const passes = typeof band === 'string' && distanceOf('#dc2626', band) >= captionContrastMin;
      if (passes) expect(() => checkCaptionColor(frame)).not.toThrow();
      else expect(() => checkCaptionColor(frame)).toThrow('frame.textColor #dc2626');
    }
  });
});
