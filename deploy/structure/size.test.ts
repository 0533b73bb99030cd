/** Functions that fit on a screen. */
import { stripTypeScriptTypes } from 'node:module';
import {
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  parse,
} from 'acorn';
import { expect, test } from 'vitest';
import { programFiles, readSource } from './sources.ts';

/** Lines of a function, including its head and its end. */
const linesMax = 60;
/** Lines of a factory: a function that holds state and returns the functions that share it. */
const factoryLinesMax = 100;
const medianMax = 10;
const ninetiethPercentileMax = 40;

type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

interface Measured {
  name: string;
  lines: number;
  isFactory: boolean;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

/** Whether at least three functions are declared directly inside it. */
const isFactory = (node: FunctionNode): boolean => {
  let inside = 0;
  const count = (within: AnyNode): void => {
    for (const child of childrenOf(within)) {
      if (isFunction(child)) inside++;
      else count(child);
    }
  };
  count(node.body);
  return inside >= 3;
};

/** The name that a reader looks for: the variable or property that holds the function. */
const nameOf = (node: AnyNode, held: string): string => {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') return node.id.name;
  if ((node.type === 'Property' || node.type === 'MethodDefinition') && node.key.type === 'Identifier')
    return node.key.name;
  if (node.type === 'FunctionDeclaration') return node.id?.name ?? held;
  return held;
};

const functionsOf = (file: string): Measured[] => {
  const program = parse(stripTypeScriptTypes(readSource(file)), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: Measured[] = [];
  const visit = (node: AnyNode, held: string): void => {
    const name = nameOf(node, held);
    if (isFunction(node)) {
      const { start, end } = node.loc!;
      found.push({ name: `${file} ${name}`, lines: end.line - start.line + 1, isFactory: isFactory(node) });
    }
    for (const child of childrenOf(node)) visit(child, name);
  };
  visit(program, '');
  return found;
};

/** One copy of the round in one function: with the round in its own function a hash took 17 times as long. */
const exceptions = new Set(['redirector/visitor/siphash.ts sipHash24']);

const functions = programFiles.filter((file) => !file.endsWith('.d.ts')).flatMap(functionsOf);
const sorted = functions.map(({ lines }) => lines).sort((a, b) => a - b);

test('half of all functions have at most 10 lines, nine of ten at most 40', () => {
  expect(functions.length).toBeGreaterThan(2000);
  expect(sorted[Math.floor(sorted.length * 0.5)]).toBeLessThanOrEqual(medianMax);
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThanOrEqual(ninetiethPercentileMax);
});

test('no function has more than 60 lines, no factory more than 100', () => {
  const tooLong = functions.filter(
    ({ lines, isFactory }) => lines > (isFactory ? factoryLinesMax : linesMax),
  );
  const unknown = tooLong.filter(({ name }) => !exceptions.has(name));
  expect(unknown.map(({ name, lines }) => `${name}: ${lines}`)).toEqual([]);
});
