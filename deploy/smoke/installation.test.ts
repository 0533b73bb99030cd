/**
 * What `npm start` runs, as its users use it: from the API to the phone, with several redirector processes over real PostgreSQL,
 * Redis and ClickHouse.
 */
import { afterAll, beforeAll } from 'vitest';
import { startTimeoutMs } from './installation.ts';
import { startSharedInstallation, waymark } from './testing/shared-installation.ts';
// In this order: the last one restarts it, and removes the examples.
import './testing/main-job.ts';
import './testing/protected.ts';
import './testing/serialized.ts';
import './testing/gs1.ts';
import './testing/hosted.ts';
import './testing/restart.ts';

beforeAll(startSharedInstallation, startTimeoutMs);

afterAll(async () => {
  await waymark?.stop();
});
