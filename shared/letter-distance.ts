/**
 * The fewest insertions, deletions and substitutions that turn one text into the other (Levenshtein). Both are short.
 */
export const letterDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column++) {
      const substituted = row[column]! + (from[at] === to[column] ? 0 : 1);
      next.push(Math.min(substituted, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
};
