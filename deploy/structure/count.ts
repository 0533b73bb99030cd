/** `node deploy/structure/count.ts [depth]`: lines of code and of tests by folder, without blank lines and comments. */
import { allFiles, isTestFile, readSource } from './sources.ts';

/** Lines that are neither blank nor only a comment. A comment that ends a line of code does not matter. */
const codeLines = (source: string): number => {
  let isComment = false;
  return source.split('\n').filter((line) => {
    const text = line.trim();
    const begins = text.startsWith('/*');
    const isCode = !isComment && !begins && text !== '' && !text.startsWith('//') && !text.startsWith('--');
    if (begins) isComment = true;
    if (text.endsWith('*/')) isComment = false;
    return isCode;
  }).length;
};

interface Counts {
  code: number;
  tests: number;
}

const depth = Number(process.argv[2] ?? 1);
const counts = new Map<string, Counts>();
for (const file of allFiles.filter((name) => /\.(ts|js|mjs|sql)$/.test(name))) {
  const lines = codeLines(readSource(file));
  const folders = file.split('/').slice(0, -1).slice(0, depth).join('/');
  for (const folder of [folders, 'all']) {
    const sum = counts.get(folder) ?? { code: 0, tests: 0 };
    sum[isTestFile(file) ? 'tests' : 'code'] += lines;
    counts.set(folder, sum);
  }
}
console.table(Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b))));
