/** `npm start` runs this file. */
import { run } from './run.ts';

await run();
