/** Style sheets and scripts beside the code that uses them: readable in their file, small in a page. */
import { readFileSync } from 'node:fs';

/**
 * A file without comments and indentation. Its line ends are LF, since a browser normalizes line ends before it hashes
 * a script.
 */
const readAsset = (url: URL): string =>
  readFileSync(url, 'utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\/\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();

/** @param url of a `.js` file, such as `new URL('./filter.js', import.meta.url)`; read at start */
export const readScript = (url: URL): string => readAsset(url);

/** @param url of a `.css` file; read at start */
export const readStyle = (url: URL): string =>
  readAsset(url).replace(/(?<=[{};,])\n|;?\n(?=\})|(?<=[:,{]) | (?=\{)|;(?=\})/g, '');
