import { beforeAll, describe, expect, test } from 'vitest';
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

/** Asks for `count` large pictures at once, all of them different; counts those that are answered. */
const flood = async (count: number) => {
  const code = await large.createCode(look);
  let answered = 0;
  const answers = Array.from({ length: count }, async (_, n): Promise<Answer> => {
    const answer = await large.call('GET', `/api/qr/codes/${code.id}/image?size=${2200 - n}`);
    answered++;
    return answer;
  });
  return { all: Promise.all(answers), answered: () => answered };
};

describe('one tenant’s 24 large pictures do not make another’s wait', () => {
  test.each<[string, (n: number) => Promise<Answer>]>([
    ['a picture', (n) => small.call('GET', `/api/qr/codes/${wanted.id}/image?size=${300 + n}`)],
    [
      'a picture behind a link',
      async (n) => {
        const link = await small.call('GET', `/api/qr/codes/${wanted.id}/download-url?size=${310 + n}`);
        const { pathname, search } = new URL(downloadUrl.parse(link.body).url);
        return plane.callWith(undefined)('GET', pathname + search);
      },
    ],
    [
      'a static code of a keyless tenant',
      (n) =>
        plane.callWith(undefined)('POST', '/api/qr/public/generate', {
          data: `https://example.com/${n}`,
          ...look,
        }),
    ],
    ['a new code', (n) => small.call('POST', '/api/qr/codes', { data: `https://example.com/${n}`, ...look })],
  ])('%s', async (_, ask) => {
    const before = await flood(24);
    await expect.poll(() => figure('renders_waiting')).toBeGreaterThan(16);
    const answeredBefore = before.answered();
    const answer = await ask(Date.now() % 1_000);
    expect([200, 201]).toContain(answer.status);
    // Those that were being drawn when it came, and not those that waited.
    expect(before.answered() - answeredBefore).toBeLessThan(12);
    for (const { status, headers } of await before.all) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect(headers.get('retry-after')).toBe('2');
    }
  });
});

test('Prometheus has the numbers of waiting and of refused pictures', async () => {
  const { all } = await flood(24);
  await expect.poll(() => figure('renders_waiting')).toBeGreaterThan(16);
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
