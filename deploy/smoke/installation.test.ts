/**
 * The programs of `npm start`, as users use them: from the API to the phone, with several redirector processes over
 * real PostgreSQL, Redis and ClickHouse.
 */
import { afterAll, beforeAll } from 'vitest';
import { startTimeoutMs } from './installation.ts';
import { startSharedInstallation, waymark } from './testing/shared-installation.ts';

// In this order, one after the other: the last one restarts it and removes the examples. Statically imported modules
// do not wait for one that starts a browser.
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
