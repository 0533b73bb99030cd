/**
 * The visual order of the parts of a line: the Unicode Bidirectional Algorithm (UAX #9) without explicit embeddings,
 * whose controls do not occur in captions. Classes follow from Unicode's scripts and categories; they are right for
 * every character that a bundled font can draw.
 */

type BidiClass = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'NSM' | 'WS' | 'ON';

export interface DirectionalRun {
  /** In logical order. */
  text: string;
  rightToLeft: boolean;
}

/** The first match decides. */
const classPatterns: [BidiClass, RegExp][] = [
  // Joiners and other invisible characters take the preceding class. (X9 would remove them, but the shaper needs them.)
  ['NSM', /\p{Mn}|\p{Me}|\u200b|\u200c|\u200d|\u2060|\ufeff/u],
  ['L', /\u200e/u],
  ['R', /\u200f/u],
  ['AL', /\u061c/u],
  ['EN', /[0-9\u06f0-\u06f9\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]/u],
  ['AN', /[\u0660-\u0669\u066b\u066c\u06dd]/u],
  ['ES', /[+\-\u207a\u207b\u208a\u208b\u2212]/u],
  ['ET', /[#%°±\u066a\u2030-\u2034\p{Sc}]/u],
  ['CS', /[,./:\u00a0\u060c\u202f\u2044]/u],
  ['R', /\p{Script=Hebrew}/u],
  ['AL', /[\p{Script=Arabic}\u061b\u061f\u0640]/u],
  ['WS', /\p{Zs}/u],
  ['L', /[\p{L}\p{Mc}\p{Nd}\p{Nl}]/u],
];

const classOf = (character: string): BidiClass =>
  classPatterns.find(([, pattern]) => pattern.test(character))?.[0] ?? 'ON';

const isStrong = (each: BidiClass): boolean => each === 'L' || each === 'R' || each === 'AL';

/** P2 and P3: the first strong character decides. */
const baseLevelOf = (classes: readonly BidiClass[]): 0 | 1 => {
  const first = classes.find(isStrong);
  return first === 'R' || first === 'AL' ? 1 : 0;
};

/** Whether the lines of a text begin at the right. */
export const beginsAtRight = (text: string): boolean => baseLevelOf([...text].map(classOf)) === 1;

/** W1 to W3, which only look back. */
const resolveFromBefore = (classes: BidiClass[], start: BidiClass): void => {
  let strong = start;
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] === 'NSM') classes[at] = classes[at - 1] ?? start;
    if (isStrong(classes[at]!)) strong = classes[at]!;
    if (classes[at] === 'EN' && strong === 'AL') classes[at] = 'AN';
  }
  for (let at = 0; at < classes.length; at++) if (classes[at] === 'AL') classes[at] = 'R';
};

/** W4 to W6: a single separator between two numbers belongs to them, as does a sign next to a number. */
const resolveSeparators = (classes: BidiClass[]): void => {
  for (let at = 1; at < classes.length - 1; at++) {
    const [before, own, after] = [classes[at - 1], classes[at], classes[at + 1]];
    if (before !== after) continue;
    if (before === 'EN' && (own === 'ES' || own === 'CS')) classes[at] = 'EN';
    if (before === 'AN' && own === 'CS') classes[at] = 'AN';
  }
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] !== 'ET') continue;
    let end = at;
    while (classes[end] === 'ET') end++;
    const beside = classes[at - 1] === 'EN' || classes[end] === 'EN';
    classes.fill(beside ? 'EN' : 'ON', at, end);
  }
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] === 'ES' || classes[at] === 'CS') classes[at] = 'ON';
  }
};

/** W7: numbers after a left-to-right letter count as letters. */
const resolveNumbers = (classes: BidiClass[], start: BidiClass): void => {
  let strong = start;
  for (let at = 0; at < classes.length; at++) {
    if (isStrong(classes[at]!)) strong = classes[at]!;
    if (classes[at] === 'EN' && strong === 'L') classes[at] = 'L';
  }
};

/** The direction that a character gives to adjacent neutrals. */
const strengthOf = (each: BidiClass | undefined): 'L' | 'R' | undefined => {
  if (each === 'L') return 'L';
  return each === 'R' || each === 'EN' || each === 'AN' ? 'R' : undefined;
};

const closings: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** BD16, by opening brackets. */
const bracketPairs = (characters: readonly string[], classes: readonly BidiClass[]): [number, number][] => {
  const pairs: [number, number][] = [];
  const open: { at: number; closing: string }[] = [];
  for (const [at, character] of characters.entries()) {
    if (classes[at] !== 'ON') continue;
    if (closings[character]) open.push({ at, closing: closings[character] });
    const match = open.findLastIndex(({ closing }) => closing === character);
    if (match < 0) continue;
    pairs.push([open[match]!.at, at]);
    open.length = match;
  }
  return pairs.sort(([a], [b]) => a - b);
};

/** N0: both brackets of a pair take the direction of their content, else the direction before them. */
const resolveBrackets = (characters: readonly string[], classes: BidiClass[], base: 'L' | 'R'): void => {
  for (const [opening, closing] of bracketPairs(characters, classes)) {
    const inside = classes.slice(opening + 1, closing).map(strengthOf);
    if (!inside.some((each) => each !== undefined)) continue;
    const before = classes.slice(0, opening).map(strengthOf).findLast(Boolean) ?? base;
    const direction = inside.includes(base) ? base : before;
    classes[opening] = direction;
    classes[closing] = direction;
  }
};

/** N1 and N2: neutrals between two characters of one direction take it, others take the line's. */
const resolveNeutrals = (classes: BidiClass[], base: 'L' | 'R'): void => {
  for (let at = 0; at < classes.length; at++) {
    if (strengthOf(classes[at])) continue;
    let end = at;
    while (end < classes.length && !strengthOf(classes[end])) end++;
    const before = at === 0 ? base : strengthOf(classes[at - 1])!;
    const after = end === classes.length ? base : strengthOf(classes[end])!;
    classes.fill(before === after ? before : base, at, end);
  }
};

/** I1 and I2. */
const levelOf = (each: BidiClass, base: 0 | 1): number => {
  if (base === 1) return each === 'R' ? 1 : 2;
  if (each === 'L') return 0;
  return each === 'R' ? 1 : 2;
};

const levelsOf = (characters: readonly string[]): number[] => {
  const original = characters.map(classOf);
  const classes = [...original];
  const baseLevel = baseLevelOf(classes);
  const base = baseLevel === 1 ? 'R' : 'L';
  resolveFromBefore(classes, base);
  resolveSeparators(classes);
  resolveNumbers(classes, base);
  resolveBrackets(characters, classes, base);
  resolveNeutrals(classes, base);
  const levels = classes.map((each) => levelOf(each, baseLevel));
  // L1: trailing white space has the direction of the line.
  for (let at = levels.length - 1; at >= 0 && original[at] === 'WS'; at--) levels[at] = baseLevel;
  return levels;
};

/** L2: from the highest level down, every sequence of runs at that level or above is reversed. */
const reorder = <T extends { level: number }>(runs: T[]): T[] => {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let at = 0; at < runs.length; at++) {
      let end = at;
      while (end < runs.length && runs[end]!.level >= level) end++;
      if (end > at) runs.splice(at, end - at, ...runs.slice(at, end).reverse());
      at = end;
    }
  }
  return runs;
};

/** The runs of one line, from left to right. */
export const orderRuns = (text: string): DirectionalRun[] => {
  const characters = [...text];
  const runs: { text: string; level: number }[] = [];
  for (const [at, level] of levelsOf(characters).entries()) {
    const last = runs.at(-1);
    if (last?.level === level) last.text += characters[at];
    else runs.push({ text: characters[at]!, level });
  }
  return reorder(runs).map((run) => ({ text: run.text, rightToLeft: run.level % 2 === 1 }));
};
