/** Is loaded anew before every test file (setupFiles), so that its hook is the last to run in each. */
import { afterAll } from 'vitest';
import { closeFile } from './after-file.ts';

afterAll(closeFile);
