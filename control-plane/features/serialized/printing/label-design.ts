/** One label: the code with its quiet zone, and the captions below or beside it. Lengths are in millimetres. */
import type { SheetCaption } from '#schemas/api/serialized-sheets.ts';
import type { LabelDesign, SheetSymbol } from '../../../rendering/index.ts';
import type { CaptionBlock, CaptionText, SetFixedText } from './caption-lines.ts';
import type { Grid } from './grid.ts';
import { type Arranged, quietModules } from './label-space.ts';
import { arrangeBelow } from './text-below.ts';
import { arrangeBeside } from './text-beside.ts';

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

/** In millimetres, of sides that are sums. */
const rounding = 1e-9;

export interface Designed {
  design: LabelDesign;
  /** The dimension that limits the code. */
  bound: 'width' | 'height';
  /** The side of a module without captions. */
  bareModule: number;
  /** The extras without room. */
  omitted: readonly SheetCaption[];
  refused: CaptionBlock['refused'];
}

const isExtra = (caption: CaptionText): boolean => 'isExtra' in caption && caption.isExtra === true;

/** Text beside the code is larger than below it: a code may be a little smaller for that. */
const besideShareMin = 0.95;

/** The text is where it leaves more space to the code. */
const arrange = async (
  label: Grid['label'],
  symbol: SheetSymbol,
  captions: readonly CaptionText[],
  setFixedText: SetFixedText,
): Promise<Arranged> => {
  const beside = await arrangeBeside(label, symbol, captions, setFixedText);
  const isOnlyBoundByLabel = beside?.bound === 'height';
  if (beside && isOnlyBoundByLabel) return beside;
  const below = await arrangeBelow(label, symbol, captions, setFixedText);
  const isBeside = beside && (below.refused || beside.design.module >= besideShareMin * below.design.module);
  return isBeside ? beside : below;
};

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
  const bareModule = Math.min(label.width, label.height) / (symbol.size + 2 * quietModules);
  const all = { ...(await arrange(label, symbol, captions, setFixedText)), bareModule, omitted: [] };
  const needed = captions.filter((caption) => !isExtra(caption));
  if (needed.length === captions.length) return all;
  // Beside a code as high as the label, extras cost it nothing.
  const moduleEnough = Math.min(roomyModule, bareModule - rounding);
  if (!all.refused && all.design.module >= moduleEnough) return all;
  const without = await arrange(label, symbol, needed, setFixedText);
  const costsNothing = !all.refused && all.design.module === without.design.module;
  if (costsNothing) return all;
  return { ...without, bareModule, omitted: captions.filter(isExtra).map(({ name }) => name) };
};
