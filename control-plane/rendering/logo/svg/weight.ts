/**
 * Weighs the drawing that an SVG asks for, before anything is drawn: `use` and patterns repeat the elements that they
 * name, so a small file can ask for more than any file could hold.
 */
import { refuseLogo } from '../refusal.ts';
import { idsIn } from './rules.ts';
import type { SvgNode, SvgTree } from './tree.ts';

interface Weight {
  elements: number;
  /** Commands of paths and points of polygons. */
  commands: number;
  /** Intermediate pictures: groups that are faded, masked or repeated as a whole. */
  layers: number;
  /** Stops of gradients, once per element that they may fill. */
  stops: number;
  /** Outlines of clip paths, once per element that they clip. */
  clips: number;
}

/**
 * On a machine with five times more work than cores a stroke of 9,900 lines took 1.1 s, and 60 masks 2.2 s. A path that
 * often crosses itself takes far longer: it is killed at its time limit. 2,400 elements with a gradient of 2,400 stops
 * took more than 9 s, and so did 3,000 elements in 60 clipped groups.
 */
const most: Weight = { elements: 10_000, commands: 20_000, layers: 60, stops: 200_000, clips: 60_000 };

/** Levels of nested elements, and of elements that repeat others. */
const nestingMax = 128;

const names: Record<keyof Weight, string> = {
  elements: 'elements',
  commands: 'path commands',
  layers: 'masks, patterns and faded groups',
  stops: 'stops of gradients',
  clips: 'clipped outlines',
};

const weightKeys = ['elements', 'commands', 'layers', 'stops', 'clips'] as const;

const none: Weight = { elements: 0, commands: 0, layers: 0, stops: 0, clips: 0 };

const add = (to: Weight, weight: Weight, times = 1): void => {
  for (const key of weightKeys) to[key] += weight[key] * times;
};

const commandsOf = ({ attributes }: SvgNode): number => {
  const letters = attributes.get('d')?.match(/[a-z]|-?[\d.]+(?:e[-+]?\d+)?/gi)?.length ?? 0;
  const points = attributes.get('points')?.match(/[\d.]+/g)?.length ?? 0;
  // A command has up to six numbers, a polygon's point two.
  return Math.ceil(letters / 3) + Math.ceil(points / 2);
};

const isFaded = ({ attributes, children, target }: SvgNode): boolean =>
  (children.length > 0 || target !== undefined) && (attributes.get('opacity') ?? '1').trim() !== '1';

const createScales = (byId: ReadonlyMap<string, SvgNode>) => {
  const known = new Map<SvgNode, Weight>();
  const under = new Set<SvgNode>();

  const ofTarget = (id: string): Weight | undefined => {
    const target = byId.get(id);
    return target && of(target);
  };

  const measure = (node: SvgNode): Weight => {
    const weight: Weight = {
      ...none,
      elements: 1,
      commands: commandsOf(node),
      layers: isFaded(node) ? 1 : 0,
    };
    for (const child of node.children) add(weight, of(child));
    const target = node.target === undefined ? undefined : ofTarget(node.target);
    if (target) add(weight, target);
    const drawn = weight.elements;
    for (const name of ['mask', 'clip-path']) {
      for (const id of idsIn(node.attributes.get(name))) {
        const shape = ofTarget(id) ?? none;
        add(weight, shape);
        if (name === 'mask') weight.layers++;
        else weight.clips += drawn * shape.elements;
      }
    }
    // All elements of a group inherit its fill, and each is filled separately.
    const filled = weight.elements;
    for (const name of ['fill', 'stroke']) {
      for (const id of idsIn(node.attributes.get(name))) {
        const server = byId.get(id);
        if (server?.name.endsWith('Gradient')) weight.stops += filled * of(server).elements;
        if (server?.name !== 'pattern') continue;
        add(weight, ofTarget(id)!, filled);
        weight.layers += filled;
      }
    }
    return weight;
  };

  const of = (node: SvgNode): Weight => {
    const weight = known.get(node);
    if (weight) return weight;
    if (under.has(node)) return refuseLogo(`refers to itself by ${node.name}`);
    if (under.add(node).size > nestingMax) refuseLogo(`nests its elements deeper than ${nestingMax}`);
    const measured = measure(node);
    under.delete(node);
    known.set(node, measured);
    return measured;
  };

  return { of };
};

/** @throws {ClientError} UNPROCESSABLE naming `image`, the kind that it has too many of, and the limit */
export const checkWeight = ({ root, nodes }: SvgTree): void => {
  const byId = new Map<string, SvgNode>();
  for (const node of nodes) if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, node);
  const scales = createScales(byId);
  const weight = scales.of(root);
  for (const key of weightKeys) {
    if (weight[key] <= most[key]) continue;
    refuseLogo(
      `asks for too much: it draws ${weight[key]} ${names[key]}, repetitions included, and may draw ${most[key]}`,
    );
  }
};
