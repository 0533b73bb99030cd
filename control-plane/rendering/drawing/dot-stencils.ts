/**
 * Draws dots with stencils. The library's figure for a module depends only on the type of the dots and on the four
 * adjacent modules: it draws sixteen modules of each type once, and their figures are moved to where they are needed.
 * That takes a tenth of the time.
 */
import type { ModuleMatrix } from '../symbol/matrix.ts';
import { rectangle } from '../vector/figures.ts';
import type { Figure } from '../vector/layers.ts';
import { type ClipElement, figuresOf } from './clip-figures.ts';
import { drawByLibrary, moduleUnits } from './library-drawing.ts';
import { type ModuleStyle, plainStyle } from './module-style.ts';

type DotType = ModuleStyle['dots']['type'];

/** The figure of a module at 0, 0; `square`: the whole module, which merges with adjacent ones. */
type Stencil = Figure | 'square';

/** The dark modules next to a module, each a bit of its mask. */
const [left, right, above, below] = [1, 2, 4, 8];
const masks = 16;

/** The sample has a cross for each mask, far from the eyes and from the other crosses. */
const sampleSize = 37;
const centreOf = (mask: number) => ({ row: 10 + 4 * (mask >> 2), column: 10 + 4 * (mask & 3) });

const sampleModules = (): Set<number> => {
  const dark = new Set<number>();
  for (let mask = 0; mask < masks; mask++) {
    const { row, column } = centreOf(mask);
    const at = row * sampleSize + column;
    dark.add(at);
    if (mask & left) dark.add(at - 1);
    if (mask & right) dark.add(at + 1);
    if (mask & above) dark.add(at - sampleSize);
    if (mask & below) dark.add(at + sampleSize);
  }
  return dark;
};

const stencilOf = (element: ClipElement, x: number, y: number): Stencil => {
  if (element.name === 'rect') return 'square';
  const [figure] = figuresOf([element]);
  return { x: figure!.x - x, y: figure!.y - y, commands: figure!.commands };
};

const learn = async (type: DotType): Promise<readonly Stencil[]> => {
  const dark = sampleModules();
  const matrix: ModuleMatrix = {
    size: sampleSize,
    level: 'M',
    isDark: (row, column) => dark.has(row * sampleSize + column),
  };
  const style = { ...plainStyle, margin: 0, dots: { type, paint: '#000000' } };
  const { dots } = await drawByLibrary(matrix, style, sampleSize * moduleUnits);
  const order = [...dark].sort((a, b) => a - b);
  return Array.from({ length: masks }, (_, mask) => {
    const { row, column } = centreOf(mask);
    const element = dots[order.indexOf(row * sampleSize + column)]!;
    return stencilOf(element, column * moduleUnits, row * moduleUnits);
  });
};

const learned = new Map<DotType, Promise<readonly Stencil[]>>();

const stencilsOf = (type: DotType): Promise<readonly Stencil[]> => {
  const known = learned.get(type);
  if (known) return known;
  const stencils = learn(type);
  learned.set(type, stencils);
  return stencils;
};

/** The side of an eye in modules. The library draws eyes separately. */
const eyeSize = 7;

/** A byte for each module, and a border of one: 1 if it is dark and not part of an eye. */
const gridOf = ({ size, isDark }: ModuleMatrix): Uint8Array => {
  const stride = size + 2;
  const grid = new Uint8Array(stride * stride);
  for (let row = 0; row < size; row++) {
    const isBesideEyes = row < eyeSize || row >= size - eyeSize;
    const first = isBesideEyes ? eyeSize : 0;
    const end = row < eyeSize ? size - eyeSize : size;
    for (let column = first; column < end; column++)
      if (isDark(row, column)) grid[(row + 1) * stride + column + 1] = 1;
  }
  return grid;
};

const maskAt = (grid: Uint8Array, at: number, stride: number): number =>
  grid[at - 1]! * left + grid[at + 1]! * right + grid[at - stride]! * above + grid[at + stride]! * below;

/** @param margin in modules @returns the figures in the library's order, in drawing units */
export const dotFigures = async (matrix: ModuleMatrix, type: DotType, margin: number): Promise<Figure[]> => {
  const stencils = await stencilsOf(type);
  const { size } = matrix;
  const stride = size + 2;
  const grid = gridOf(matrix);
  const figures: Figure[] = [];
  for (let row = 0; row < size; row++) {
    const y = (row + margin) * moduleUnits;
    for (let column = 0; column < size; column++) {
      const at = (row + 1) * stride + column + 1;
      if (grid[at] === 0) continue;
      const x = (column + margin) * moduleUnits;
      const stencil = stencils[maskAt(grid, at, stride)]!;
      if (stencil !== 'square') {
        figures.push({ x: x + stencil.x, y: y + stencil.y, commands: stencil.commands });
        continue;
      }
      let end = at + 1;
      while (grid[end] === 1 && stencils[maskAt(grid, end, stride)] === 'square') end++;
      figures.push(rectangle(x, y, (end - at) * moduleUnits, moduleUnits));
      column += end - at - 1;
    }
  }
  return figures;
};
