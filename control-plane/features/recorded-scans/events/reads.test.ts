/** What reads of one workspace's scans leave to others. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sharedTestClickHouse } from '../../../../deploy/testing/index.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  type Answer,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';

/** ClickHouse, behind a server that holds reads of the log until `release`. */
const holdReads = async (target: URL) => {
  const held: (() => void)[] = [];
  let isHolding = false;
  let givenUp = 0;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (isHolding && body.includes('FROM scan_log')) {
      response.once('close', () => givenUp++);
      await new Promise<void>((resolve) => held.push(resolve));
    }
    const { method, url, headers } = request;
    const passed = http.request(new URL(url!, target.origin), { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(target), { port }).href,
    held,
    /** Held reads for which the control plane waits no longer. */
    givenUp: () => givenUp,
    hold() {
      isHolding = true;
      givenUp = 0;
    },
    release() {
      isHolding = false;
      for (const pass of held.splice(0)) pass();
    },
  };
};

let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;
let reads: Awaited<ReturnType<typeof holdReads>>;

beforeAll(async () => {
  reads = await holdReads(new URL(await sharedTestClickHouse()));
  plane = await startTestControlPlane({ clickhouseUrl: reads.url });
  [own, other] = [await plane.workspace(), await plane.workspace()];
});

test.each([
  ['pages', '/api/qr/scans', 20, [200, 429]],
  ['files', '/api/qr/scans?format=ndjson', 8, [200]],
] as const)(
  'however many %s of one workspace are read slowly, others get their analytics',
  async (_, path, count, statuses) => {
    reads.hold();
    onTestFinished(() => reads.release());
    const asked: Promise<Answer>[] = Array.from({ length: count }, () => own.call('GET', path));
    await expect.poll(() => reads.held.length).toBeGreaterThan(1);
    const analytics = await other.call('GET', '/api/qr/analytics?days=7&groupBy=country');
    expect([analytics.status, reads.givenUp()]).toEqual([200, 0]);
    reads.release();
    const answers = await Promise.all(asked);
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual(statuses);
  },
);
