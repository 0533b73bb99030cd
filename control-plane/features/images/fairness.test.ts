import os from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { downloadUrl } from '#schemas/api/images.ts';
import {
  type Answer,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let large: Workspace;
let small: Workspace;
let wanted: CodeObject;

const look = { dotsOptions: { type: 'dots', color: '#0c4a6e' }, frame: { id: 'banner' } };

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  [large, small] = [await plane.workspace(), await plane.workspace()];
  wanted = await small.createCode(look);
});

const figure = async (name: string): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  const line = String(body)
    .split('\n')
    .find((each) => each.startsWith(`waymark_${name} `));
  return Number(line?.split(' ')[1]);
};

/** Pictures drawn concurrently: one less than the machine has cores. */
const drawnAtOnce = Math.max(1, os.availableParallelism() - 1);
const waitingLarge = 24;

/** Requests large pictures at once, all different, so that 24 must wait; counts the drawn ones. */
const flood = async (size: number) => {
  const code = await large.createCode(look);
  let drawn = 0;
  const answers = Array.from({ length: waitingLarge + drawnAtOnce }, async (_, n): Promise<Answer> => {
    const answer = await large.call('GET', `/api/qr/codes/${code.id}/image?size=${size - n}`);
    if (answer.status === 200) drawn++;
    return answer;
  });
  await expect.poll(() => figure('renders_waiting'), { interval: 5 }).toBeGreaterThan(16);
  return { all: Promise.all(answers), drawn: () => drawn };
};

const pictures: Record<string, () => Promise<Answer>> = {
  'a picture': () => small.call('GET', `/api/qr/codes/${wanted.id}/image?size=300`),
  'a picture behind a link': async () => {
    const link = await small.call('GET', `/api/qr/codes/${wanted.id}/download-url?size=310`);
    const { pathname, search } = new URL(downloadUrl.parse(link.body).url);
    return plane.callWith(undefined)('GET', pathname + search);
  },
  'a static code of a keyless tenant': () =>
    plane.callWith(undefined)('POST', '/api/qr/public/generate', { data: 'https://example.com/1', ...look }),
  'a new code': () => small.call('POST', '/api/qr/codes', { data: 'https://example.com/2', ...look }),
};

test('one tenant’s 24 large pictures do not hold up another’s: a picture, a link’s, a keyless one, or a new code’s', async () => {
  const before = await flood(2200);
  for (const [what, ask] of Object.entries(pictures)) {
    const drawnBefore = before.drawn();
    const { status } = await ask();
    expect([what, status < 300]).toEqual([what, true]);
    // Only pictures in progress at its arrival and a share of the keyless work come first, not the waiting ones.
    expect(before.drawn() - drawnBefore, what).toBeLessThan(5 + drawnAtOnce);
  }
  for (const { status, headers } of await before.all) {
    expect([200, 503]).toContain(status);
    if (status === 503) expect(headers.get('retry-after')).toBe('2');
  }
});

test('Prometheus has the numbers of waiting and refused pictures', async () => {
  const { all } = await flood(1400);
  expect(await figure('renders_running')).toBeGreaterThan(0);
  expect(await figure('renders_waiting_tenants')).toBe(1);
  const refused = (await all).filter(({ status }) => status === 503).length;
  const counted = await figure('renders_refused_total{why="waited_too_long"}');
  expect(counted).toBeGreaterThanOrEqual(refused);
  expect(await figure('renders_refused_total{why="tenant_full"}')).toBe(0);
  expect(await figure('renders_refused_total{why="queue_full"}')).toBe(0);
  expect(await figure('renders_waiting')).toBe(0);
  await expect.poll(() => figure('renders_running')).toBe(0);
});
