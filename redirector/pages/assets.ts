/** The texts of `browser/`, as they are sent: readable in the file, small in the response. */
import { readFileSync } from 'node:fs';

/** Without comments and indentation. Its line ends are LF, since a browser normalizes line ends before it hashes a script. */
const readAsset = (name: string): string =>
  readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\/\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();

/** One script of several files. Their imports of each other are removed: every file comes after those that it imports. */
export const readScript = (names: readonly string[]): string =>
  names
    .map((name) =>
      readAsset(name)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n');

export const readStyle = (name: string): string =>
  readAsset(name).replace(/(?<=[{};,])\n|\n(?=\})|(?<=[:,{]) | (?=\{)/g, '');
