/** The size of a file that may not exist. */
import { statSync } from 'node:fs';

/** @returns bytes; 0 if there is no file */
export const fileBytes = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
