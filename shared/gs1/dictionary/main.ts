/** Writes entries.ts anew. */
import fs from 'node:fs';
import path from 'node:path';
import { formatSource } from './format-source.ts';
import { readDictionary, writeEntries } from './generate.ts';

const here = import.meta.dirname;
const tsv = fs.readFileSync(path.join(here, 'application-identifiers.tsv'), 'utf8');
const text = formatSource(writeEntries(readDictionary(tsv)), 'entries.ts');
fs.writeFileSync(path.join(here, 'entries.ts'), text);
