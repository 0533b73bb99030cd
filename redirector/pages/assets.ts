/** The files of `browser/`, as they are sent: readable in the repository, small in the response. */
import { readFileSync } from 'node:fs';
import type { DataType } from '#schemas/api/data-types.ts';

/** With LF line ends, because browsers normalize line ends before they hash a script. */
const readText = (file: URL): string => readFileSync(file, 'utf8').replace(/\r\n?/g, '\n');

/** Without comments and indentation. */
const readAsset = (name: string): string =>
  readText(new URL(`./browser/${name}`, import.meta.url))
    .replace(/^\s*\/\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();

/** One script from several files. Their imports of each other are removed, so each file must follow its imports. */
export const readScript = (...names: readonly string[]): string =>
  names
    .map((name) =>
      readAsset(name)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n');

/** The script that opens sealed codes of a type. Made by `npm run sealed-scripts`. */
export const sealedScriptFile = (dataType: DataType): URL =>
  new URL(`./browser/sealed/${dataType}.js`, import.meta.url);

export const readSealedScript = (dataType: DataType): string => readText(sealedScriptFile(dataType)).trim();

export const readStyle = (name: string): string =>
  readAsset(name).replace(/(?<=[{};,])\n|\n(?=\})|(?<=[:,{]) | (?=\{)/g, '');
