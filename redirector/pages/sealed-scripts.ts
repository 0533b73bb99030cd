/** The scripts that open sealed codes, one for each type. Made by `npm run sealed-scripts`. */
import { readFileSync } from 'node:fs';
import type { DataType } from '#schemas/api/data-types.ts';

export const sealedScriptFile = (dataType: DataType): URL =>
  new URL(`./browser/sealed/${dataType}.js`, import.meta.url);

/** With LF line ends, because browsers normalize line ends before they hash a script. */
export const readSealedScript = (dataType: DataType): string =>
  readFileSync(sealedScriptFile(dataType), 'utf8').replace(/\r\n?/g, '\n').trim();
