/** What `npm start` runs. */
import { run } from './run.ts';

await run();
