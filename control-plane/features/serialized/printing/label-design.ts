/** One label: the code with its quiet zone, and the captions below it. Lengths are in millimetres. */
import type { LabelDesign, SheetSymbol } from '../../../rendering/index.ts';
import {
  type CaptionBlock,
  type CaptionText,
  preferredSize,
  type SetFixedText,
  setCaptions,
} from './caption-lines.ts';
import type { Grid } from './grid.ts';

/** ISO/IEC 18004: white modules on each side of a symbol. */
const quietModules = 4;

/**
 * The smallest side of a module: offset, laser and 300 dpi thermal printers can still print it, and phones can read
 * it from close by.
 */
export const moduleMin = 0.25;

/**
 * If modules are this large, there is room for extras: codes with modules of a third of a millimetre are read without
 * care.
 */
const roomyModule = 1 / 3;

/** Between captions and the edges of the label, since die cuts are up to a millimetre off. */
const inset = { share: 0.03, min: 0.3, max: 1.5 };

export interface Designed {
  design: LabelDesign;
  /** The dimension that limits the code. */
  bound: 'width' | 'height';
  /** The side of a module without captions. */
  bareModule: number;
  refused: CaptionBlock['refused'];
}

const insetOf = ({ width, height }: Grid['label']): number =>
  Math.min(inset.max, Math.max(inset.min, inset.share * Math.min(width, height)));

const nothing: CaptionBlock = { lines: [], fixed: [], height: 0 };

const isExtra = (caption: CaptionText): boolean => 'isExtra' in caption && caption.isExtra === true;

/**
 * Extras are left out if they have no room, or would make modules small.
 * @param label with sides of more than 0
 */
export const designLabel = async (
  label: Grid['label'],
  symbol: SheetSymbol,
  captions: readonly CaptionText[],
  setFixedText: SetFixedText,
): Promise<Designed> => {
  const designed = await designWith(label, symbol, captions, setFixedText);
  const needed = captions.filter((caption) => !isExtra(caption));
  if (needed.length === captions.length) return designed;
  if (!designed.refused && designed.design.module >= roomyModule) return designed;
  const without = await designWith(label, symbol, needed, setFixedText);
  const costsNothing = !designed.refused && designed.design.module === without.design.module;
  return costsNothing ? designed : without;
};

const designWith = async (
  label: Grid['label'],
  symbol: SheetSymbol,
  captions: readonly CaptionText[],
  setFixedText: SetFixedText,
): Promise<Designed> => {
  const edge = captions.length === 0 ? 0 : insetOf(label);
  const width = label.width - 2 * edge;
  const block =
    captions.length === 0 || width <= 0
      ? nothing
      : await setCaptions(captions, width, preferredSize(label.height), setFixedText);
  const free = label.height - block.height - edge;
  const side = Math.max(0, Math.min(label.width, free));
  const modules = symbol.size + 2 * quietModules;
  const module = side / modules;
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
      lines: block.lines.map((line) => ({ ...line, baseline: captionsTop + line.baseline })),
      fixed: block.fixed.map(({ operators, top: y }) => ({ operators, x: middle, y: captionsTop + y })),
    },
    bound: label.width < free ? 'width' : 'height',
    bareModule: Math.min(label.width, label.height) / modules,
    refused: block.refused,
  };
};
