import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { afterFile } from '../../deploy/testing/local.ts';
import { type Carrier, type CarrierEvents, createNewConnections, openKeptConnections } from './carriers.ts';
import { runClosedLoop } from './closed-loop.ts';
import { runOpenLoop, steadyArrivals } from './open-loop.ts';

const bytes = Buffer.from('GET /r/x HTTP/1.1\r\nHost: qr.example\r\n\r\n');

/** A server that redirects, and how many connections it was given. */
const startServer = async (answer = 302) => {
  let connections = 0;
  const server = http.createServer((_request, response) => response.writeHead(answer).end());
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

const run = (open: (events: CarrierEvents) => Promise<Carrier>, counting: string[] = []) =>
  runOpenLoop({
    open,
    requestAt: () => bytes,
    ...steadyArrivals(100, 0.1),
    onCounting: () => counting.push('begins'),
    onCounted: () => counting.push('ends'),
  });

const newConnections = (port: number) => async (events: CarrierEvents) =>
  createNewConnections({ port, isTls: false, connections: 20 }, events);

test('latencies are of the measured requests alone, whose answers have a status of their own', async () => {
  const paths: string[] = [];
  const server = http.createServer((request, response) => {
    paths.push(request.url!);
    if (request.url === '/measured') setTimeout(() => response.writeHead(200).end(), 20);
    else response.writeHead(302).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const result = await runOpenLoop({
    open: (events) => openKeptConnections(port, 5, events),
    requestAt: (request) =>
      request % 5 === 0 ? Buffer.from(bytes.toString().replace('/r/x', '/measured')) : bytes,
    ...steadyArrivals(100, 0.5),
    measured: { every: 5, status: '20' },
    onCounting: () => undefined,
    onCounted: () => undefined,
  });
  expect(result).toMatchObject({ counted: 50, failed: 0 });
  expect(paths.filter((path) => path === '/measured')).toHaveLength(30);
  // The others are answered at once: half of all latencies would be below it.
  expect(result.latencies.p50Ms).toBeGreaterThanOrEqual(19);
});

test('each scan has a connection of its own, and those of the warm-up are not counted', async () => {
  const server = await startServer();
  const counting: string[] = [];
  const result = await run(newConnections(server.port), counting);
  expect(result).toMatchObject({ counted: 10, failed: 0, failure: '' });
  expect(counting).toEqual(['begins', 'ends']);
  expect(server.connections()).toBe(110);
});

test('kept connections are used again', async () => {
  const server = await startServer();
  const result = await run((events) => openKeptConnections(server.port, 4, events, true));
  expect(result).toMatchObject({ counted: 10, failed: 0 });
  expect(server.connections()).toBe(4);
});

test('an answer that is no redirect is a failure, and so is a server that is not there', async () => {
  const server = await startServer(429);
  const refused = await run(newConnections(server.port));
  expect(refused.failed).toBeGreaterThan(0);
  expect(refused.failure).toBe('HTTP/1.1 429 Too Many Requests');
  expect((await run(newConnections(1))).failure).toContain('ECONNREFUSED');
});

test('an open loop that sleeps leaves its core to others, and sends every request', async () => {
  const server = await startServer();
  const open = (events: CarrierEvents) => openKeptConnections(server.port, 4, events, true);
  const cpuOf = async (sleeps: boolean): Promise<number> => {
    const before = process.cpuUsage();
    const result = await runOpenLoop({
      open,
      requestAt: () => bytes,
      ...steadyArrivals(20, 0.5),
      sleeps,
      onCounting: () => undefined,
      onCounted: () => undefined,
    });
    expect(result).toMatchObject({ counted: 10, failed: 0 });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  expect(await cpuOf(true)).toBeLessThan((await cpuOf(false)) / 2);
});

test('a closed loop asks again as soon as it is answered', async () => {
  const server = await startServer();
  const result = await runClosedLoop({
    open: newConnections(server.port),
    requestAt: () => bytes,
    warmUpMs: 50,
    countedMs: 200,
    onCounting: () => undefined,
    onCounted: () => undefined,
  });
  expect(result.failed).toBe(0);
  expect(result.counted).toBeGreaterThan(0);
  expect(server.connections()).toBeGreaterThanOrEqual(result.counted);
});
