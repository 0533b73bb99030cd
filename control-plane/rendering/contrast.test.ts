import { describe, expect, it } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { checkContrast, contrastOf } from './contrast.ts';
import { resolveStyle } from './style.ts';

type Color = NonNullable<NonNullable<Style['dotsOptions']>['color']>;

const gradient = (...colors: string[]): Color => ({
  type: 'linear',
  colorStops: colors.map((color, index) => ({ offset: index / (colors.length - 1), color })),
});

const refusal = (style: Style): string | undefined => {
  try {
    checkContrast(resolveStyle(style));
    return undefined;
  } catch (error) {
    if (error instanceof ClientError && error.code === 'UNPROCESSABLE') return error.message;
    throw error;
  }
};

describe('contrast', () => {
  it('is measured as WCAG 2 measures it', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(1 / 21);
  });

  it.each<[string, Style, string]>([
    [
      'light on dark',
      { dotsOptions: { color: '#ffffff' }, backgroundOptions: { color: '#000000' } },
      'dotsOptions.color #ffffff on backgroundOptions.color #000000 is lighter than it',
    ],
    ['weak', { dotsOptions: { color: '#ffcc00' } }, 'has a contrast of 1.5 to 1, and readers need 3 to 1'],
    ['of an eye', { cornersSquareOptions: { color: '#cccccc' } }, 'cornersSquareOptions.color #cccccc'],
    ['of an eye-dot', { cornersDotOptions: { color: '#dddddd' } }, 'cornersDotOptions.color #dddddd'],
    [
      'of one stop of a gradient',
      { dotsOptions: { color: gradient('#000000', '#eeeeee', '#000000') } },
      'dotsOptions.color #eeeeee',
    ],
    [
      'on one stop of a gradient',
      { backgroundOptions: { color: gradient('#ffffff', '#222222') } },
      'dotsOptions.color #000000 on backgroundOptions.color #222222',
    ],
    [
      'on the frame behind a transparent background',
      { backgroundOptions: { color: 'transparent' }, frame: { id: 'border', background: '#111111' } },
      'on frame.background #111111',
    ],
    [
      'on white paper behind a transparent background',
      { backgroundOptions: { color: 'transparent' }, dotsOptions: { color: '#eeeeee' } },
      'on white paper #ffffff',
    ],
  ])('that is %s is refused, naming both colours', (_, style, message) => {
    expect(refusal(style)).toContain(message);
    expect(refusal(style)).toContain('take a darker colour, or a lighter background');
  });
});
