/** The start of the control plane where it cannot start. */
import net from 'node:net';
import { expect, test } from 'vitest';
import { afterFile, freePort } from '../deploy/testing/index.ts';
import { startTestControlPlane } from './testing/control-plane.ts';

test('a start whose port is taken says that it is, also while its parts are still connecting', async () => {
  const port = await freePort();
  const other = net.createServer().listen(port, '127.0.0.1');
  afterFile(() => other.close());
  await expect(
    startTestControlPlane({
      keepInternalPort: true,
      environment: { CONTROL_PLANE_INTERNAL_PORT: String(port) },
    }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
