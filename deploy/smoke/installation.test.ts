/**
 * What `npm start` runs, as its users use it: from the API to the phone, with several redirector processes over real PostgreSQL,
 * Redis and ClickHouse.
 */
import { afterAll, beforeAll } from 'vitest';
import { startTimeoutMs } from './installation.ts';
import { startSharedInstallation, waymark } from './testing/shared-installation.ts';

// One after the other, in this order: the last one restarts it, and removes the examples. Modules that are imported at the top do not
// wait for one that starts a browser.
await import('./testing/main-job.ts');
await import('./testing/protected.ts');
await import('./testing/serialized.ts');
await import('./testing/gs1.ts');
await import('./testing/hosted.ts');
await import('./testing/restart.ts');

beforeAll(startSharedInstallation, startTimeoutMs);

afterAll(async () => {
  await waymark?.stop();
});
