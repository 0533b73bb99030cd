/** The captions below the code, centred. Lengths are in millimetres. */
import type { SheetSymbol } from '../../../rendering/index.ts';
import { type CaptionText, noCaptions, type SetFixedText, setCaptions } from './caption-lines.ts';
import type { Grid } from './grid.ts';
import { type Arranged, insetOf, quietModules, sizeBelow } from './label-space.ts';

/** Captions are set close together: each line takes from the code. */
const style = { nameShare: 1, extraShare: 0.75, linesMax: 2, gap: 0, align: 'middle' } as const;

export const arrangeBelow = async (
  label: Grid['label'],
  symbol: SheetSymbol,
  captions: readonly CaptionText[],
  setFixedText: SetFixedText,
): Promise<Arranged> => {
  const edge = captions.length === 0 ? 0 : insetOf(label);
  const width = label.width - 2 * edge;
  const block =
    captions.length === 0 || width <= 0
      ? noCaptions
      : await setCaptions(captions, width, { ...style, size: sizeBelow(label.height) }, setFixedText);
  const free = label.height - block.height - edge;
  const side = Math.max(0, Math.min(label.width, free));
  const module = side / (symbol.size + 2 * quietModules);
  const middle = label.width / 2;
  // Code and captions together are centred on the label.
  const top = (free - side) / 2;
  const captionsTop = top + side;
  return {
    design: {
      symbol: { level: symbol.level, version: symbol.version },
      x: middle - side / 2 + quietModules * module,
      y: top + quietModules * module,
      module,
      middle,
      lines: block.lines.map(({ middle: _, ...line }) => ({
        ...line,
        baseline: captionsTop + line.baseline,
      })),
      fixed: block.fixed.map(({ operators, top: y }) => ({ operators, x: middle, y: captionsTop + y })),
    },
    bound: label.width < free ? 'width' : 'height',
    refused: block.refused,
  };
};
