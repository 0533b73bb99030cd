import { expect, it } from 'vitest';
import { encodeMatrix } from '../symbol/matrix.ts';
import { drawByLibrary, moduleUnits } from './library-drawing.ts';
import { withHole } from './logo-layer.ts';
import { drawLook } from './look-template.ts';
import { type ModuleStyle, plainStyle } from './module-style.ts';

const gradient: ModuleStyle['dots']['paint'] = {
  type: 'linear',
  rotation: 0.7,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: '#7b1e3a' },
  ],
};

const types = ['square', 'dots', 'rounded', 'classy', 'classy-rounded', 'extra-rounded'] as const;

const styles = types.flatMap((type): [string, ModuleStyle][] => [
  [`${type}, all of one colour`, { ...plainStyle, margin: 3, dots: { type, paint: '#1d4ed8' } }],
  [`${type}, one gradient for all`, { ...plainStyle, dots: { type, paint: gradient } }],
  [
    `${type}, eyes of another type and colour on a round background`,
    {
      ...plainStyle,
      dots: { type, paint: gradient },
      cornersSquare: { type: 'classy', paint: '#7b1e3a' },
      cornersDot: { type: 'dot', paint: '#065f46' },
      background: { paint: '#fde68a', round: 0.4 },
    },
  ],
  [
    `${type} in a circle`,
    { ...plainStyle, shape: 'circle', dots: { type, paint: '#000000' }, cornersDot: { type: 'square' } },
  ],
]);

const hole = { href: '', width: 40, height: 20, size: 0.4, margin: 1, hideDots: true };

it.each(styles)('codes of one look equal the library’s drawings, layer by layer: %s', async (_, style) => {
  for (let n = 0; n < 8; n++) {
    const whole = encodeMatrix(`https://qr.example.com/v/2NqU7yWbZ4kc/2${n}aGq8vR7mXwT3k`, 'M');
    for (const matrix of [whole, withHole(whole, hole)]) {
      const side = (matrix.size + 2 * style.margin) * moduleUnits;
      expect(await drawLook(matrix, style, side)).toEqual((await drawByLibrary(matrix, style, side)).layers);
    }
  }
});
