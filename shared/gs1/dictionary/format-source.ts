/** The formatter of this project, for files that a program writes. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

/** @param name of the file that the text is for */
export const formatSource = (text: string, name: string): string =>
  execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${name}`], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
