/** Writes the scripts of the pages that open sealed codes. */
import fs from 'node:fs';
import { sealedScriptFile } from '../sealed-scripts.ts';
import { makeSealedScripts } from './make-sealed-scripts.ts';

for (const [dataType, text] of await makeSealedScripts()) fs.writeFileSync(sealedScriptFile(dataType), text);
