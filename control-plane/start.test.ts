/** The start of the control plane where something is wrong. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { canMount, mountDisk, run } from '../deploy/testing/disk.ts';
import { afterFile, temporaryFolder } from '../deploy/testing/index.ts';
import { startTestControlPlane } from './testing/control-plane.ts';

test('a start whose port is taken says that it is, also while its parts are still connecting', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  afterFile(() => other.close());
  const { port } = other.address() as net.AddressInfo;
  await expect(
    startTestControlPlane({
      keepInternalPort: true,
      environment: { CONTROL_PLANE_INTERNAL_PORT: String(port) },
    }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a STORAGE_URL with a folder that cannot be used stops the start with a line that names it', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const folder = path.join(file, 'storage');
  await expect(
    startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } }),
  ).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^STORAGE_URL must be a folder that can be written; given: "[^\n]+ is no folder\)$/,
    ),
  });
});

test.skipIf(!canMount)(
  'a folder whose disk is full or read-only does not stop the start; health tells of it',
  async () => {
    const disk = await mountDisk(8);
    const environment = { STORAGE_URL: pathToFileURL(path.join(disk, 'storage')).href };
    const filler = fs.openSync(path.join(disk, 'filler'), 'w');
    expect(() => {
      for (;;) fs.writeSync(filler, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    fs.closeSync(filler);
    const plane = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await plane.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) has no room left/) },
      });
    // No file of it may be open for writing then.
    await plane.close();
    run('mount', '-o', 'remount,ro', disk);
    const next = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await next.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) does not work: EROFS/) },
      });
  },
);

test('a bucket that does not answer does not stop the start; health and metrics tell of it', async () => {
  // Nobody may listen at the port.
  const plane = await startTestControlPlane({
    environment: { STORAGE_URL: 's3://key:hunter2@127.0.0.1:2/pictures?tls=false' },
  });
  await expect
    .poll(() => plane.internal('GET', '/health/ready'))
    .toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        unhealthy: {
          storage: 'The storage (STORAGE_URL) does not work: its service cannot be reached (ECONNREFUSED)',
        },
      },
    });
  const metrics = String((await plane.internal('GET', '/metrics')).body);
  expect(metrics).toMatch(/waymark_storage_failures_total\{why="away"\} [1-9]/);
});
