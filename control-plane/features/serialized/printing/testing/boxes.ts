/** For tests: where the parts of a label are, in millimetres from its upper left corner. */
import { codeFontMetrics, type LabelDesign, sheetSymbol } from '../../../../rendering/index.ts';
import { itemOf, payloadOf } from './drawn-sheets.ts';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Of the codes of {@link payloadOf}, without their quiet zone. */
export const codeModules = sheetSymbol(payloadOf(itemOf(1))).size;

/** The code with four modules around it. */
export const quietZoneOf = ({ x, y, module, symbol }: LabelDesign): Box => {
  const side = (17 + 4 * symbol.version + 4) * module;
  return { left: x - 4 * module, top: y - 4 * module, right: x + side, bottom: y + side };
};

const outlineBox = ({ operators, x, y }: LabelDesign['fixed'][number]): Box => {
  const numbers = [...operators.matchAll(/-?\d*\.?\d+/g)].map(([each]) => Number(each));
  const across = numbers.filter((_, index) => index % 2 === 0).map((each) => x + each);
  const down = numbers.filter((_, index) => index % 2 === 1).map((each) => y + each);
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  };
};

/** The boxes of all texts: lines of ids and serials with their descenders, and the outlines of each other text. */
export const textBoxes = ({ lines, fixed, middle }: LabelDesign): Box[] => [
  ...lines.map((line) => {
    const half = ((line.to - line.from) * codeFontMetrics.advance * line.size) / 2;
    const centre = line.middle ?? middle;
    return {
      left: centre - half,
      top: line.baseline - codeFontMetrics.ascent * line.size,
      right: centre + half,
      bottom: line.baseline + codeFontMetrics.descent * line.size,
    };
  }),
  ...fixed.map(outlineBox),
];

/** Rounding apart. */
const tolerance = 0.001;

export const isInside = (box: Box, around: Box): boolean =>
  box.left >= around.left - tolerance &&
  box.top >= around.top - tolerance &&
  box.right <= around.right + tolerance &&
  box.bottom <= around.bottom + tolerance;

export const areApart = (a: Box, b: Box): boolean =>
  a.right <= b.left + tolerance ||
  b.right <= a.left + tolerance ||
  a.bottom <= b.top + tolerance ||
  b.bottom <= a.top + tolerance;
