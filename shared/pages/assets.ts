/** Style sheets and scripts, each next to the code that uses it: readable in the file, small in the page. */
import { readFileSync } from 'node:fs';

/**
 * A file without comments and indentation. Line ends are LF, since browsers normalize line ends before they hash a
 * script.
 */
const readAsset = (url: URL): string =>
  readFileSync(url, 'utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\/\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();

/**
 * One script from several files. Their imports of each other are removed, so each file must follow its imports.
 * @param urls of `.js` files, such as `new URL('./filter.js', import.meta.url)`; read at start
 */
export const readScript = (...urls: readonly URL[]): string =>
  urls
    .map((url) =>
      readAsset(url)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n');

/** @param url of a `.css` file; read at start */
export const readStyle = (url: URL): string =>
  readAsset(url).replace(/(?<=[{};,])\n|;?\n(?=\})|(?<=[:,{]) | (?=\{)|;(?=\})/g, '');
