import { describe, expect, it } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { contrastOf } from '#shared/colors.ts';
import { type Paper, weakColors } from './contrast.ts';
import { resolveStyle } from './resolve-style.ts';

type Color = NonNullable<NonNullable<Style['dotsOptions']>['color']>;

const gradient = (...colors: string[]): Color => ({
  type: 'linear',
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const white: Paper = { name: 'white', color: '#ffffff' };
const dark: Paper = { name: 'dark', color: '#000000' };

describe('contrast', () => {
  it('is measured as in WCAG 2', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(1 / 21);
  });

  it.each<[string, Style, string[], Paper?]>([
    ['of black on white', {}, []],
    [
      'of light on dark',
      { dotsOptions: { color: '#ffffff' }, backgroundOptions: { color: '#0a1f44' } },
      [
        'dotsOptions.color #ffffff on backgroundOptions.color #0a1f44 is light on dark, which some readers do not look for',
      ],
    ],
    [
      'of light on a ground that is hardly darker',
      { dotsOptions: { color: '#888888' }, backgroundOptions: { color: '#555555' } },
      [
        'dotsOptions.color #888888 on backgroundOptions.color #555555 is light on dark, which some readers do not look for, with ' +
          'a contrast of 2.1 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'of a brand’s orange',
      { dotsOptions: { color: '#f97316' } },
      [
        'dotsOptions.color #f97316 on backgroundOptions.color #ffffff has a contrast of 2.8 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'of eyes and eye-dots',
      { cornersSquareOptions: { color: '#cccccc' }, cornersDotOptions: { color: '#dddddd' } },
      [
        'cornersSquareOptions.color #cccccc on backgroundOptions.color #ffffff has a contrast of 1.6 to 1, where 3 to 1 is good',
        'cornersDotOptions.color #dddddd on backgroundOptions.color #ffffff has a contrast of 1.4 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'of one stop of a gradient, the weakest',
      { dotsOptions: { color: gradient('#000000', '#eeeeee', '#cccccc') } },
      [
        'dotsOptions.color #eeeeee on backgroundOptions.color #ffffff has a contrast of 1.2 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'on one stop of a gradient',
      { backgroundOptions: { color: gradient('#ffffff', '#222222') } },
      [
        'dotsOptions.color #000000 on backgroundOptions.color #222222 has a contrast of 1.3 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'on the frame behind a transparent background',
      { backgroundOptions: { color: 'transparent' }, frame: { id: 'border', background: '#333333' } },
      [
        'dotsOptions.color #000000 on frame.background #333333 has a contrast of 1.7 to 1, where 3 to 1 is good',
      ],
    ],
    [
      'on white paper behind a transparent background',
      { backgroundOptions: { color: 'transparent' }, dotsOptions: { color: '#eeeeee' } },
      ['dotsOptions.color #eeeeee on white paper #ffffff has a contrast of 1.2 to 1, where 3 to 1 is good'],
    ],
    [
      'on dark paper behind a transparent background',
      { backgroundOptions: { color: 'transparent' } },
      ['dotsOptions.color #000000 on dark paper #000000 has a contrast of 1.0 to 1, where 3 to 1 is good'],
      dark,
    ],
  ])('%s', (_, style, weak, paper = white) => {
    expect(weakColors(resolveStyle(style), paper)).toEqual(weak);
  });
});
