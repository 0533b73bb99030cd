/** Vitest loads this again before every test file (setupFiles), so its hook runs last in each file. */
import { afterAll } from 'vitest';
import { closeFile } from './after-file.ts';

afterAll(closeFile);
