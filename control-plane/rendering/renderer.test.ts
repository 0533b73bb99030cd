import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { decodeQr } from '../../deploy/testing/decode.ts';
import { createRenderer, type RenderRequest, resolveStyle } from './index.ts';

const url = 'https://qr.example.com/r/abc123XYZ';
const plain: RenderRequest = { payload: url, format: 'png', width: 512, look: resolveStyle({}) };

// A busy machine makes them wait, which is not the subject of these tests.
const waitMsMax = 60_000;
const renderer = createRenderer({ threads: 1, waitMsMax });
afterAll(() => renderer.close());

const asPng = (svg: Buffer): Promise<Buffer> => sharp(svg).png().toBuffer();

describe('a rendered code', () => {
  it.each([64, 256, 512, 1024, 4096])(
    'is a PNG of exactly %i pixels that reads as its data',
    async (size) => {
      const { body, contentType } = await renderer.render({ ...plain, width: size });
      expect(contentType).toBe('image/png');
      expect(await sharp(body).metadata()).toMatchObject({ format: 'png', width: size, height: size });
      expect(await decodeQr(body)).toBe(url);
    },
  );

  it.each([64, 256, 512, 1024, 4096])(
    'is an SVG of exactly %i pixels that reads as its data',
    async (size) => {
      const { body, contentType } = await renderer.render({ ...plain, format: 'svg', width: size });
      expect(contentType).toBe('image/svg+xml');
      expect(await sharp(body).metadata()).toMatchObject({ format: 'svg', width: size, height: size });
      expect(await decodeQr(await asPng(body))).toBe(url);
    },
  );

  it.each([0, 1, 4, 40])('with a margin of %i modules reads as its data', async (margin) => {
    expect(await decodeQr((await renderer.render({ ...plain, look: resolveStyle({ margin }) })).body)).toBe(
      url,
    );
  });

  it.each([
    'é',
    'Grüße aus Köln',
    'привет, мир',
    'שלום עולם',
    'こんにちは',
    'ﾃｽﾄ',
    '👩‍👩‍👧 👋🏽',
    'a\u2028b\ttab',
    '0012345678900',
    'HTTPS://EXAMPLE.COM/A-B',
  ])('reads as its UTF-8 text: %s', async (payload) => {
    expect(await decodeQr((await renderer.render({ ...plain, payload })).body)).toBe(payload);
  });

  it('holds only as much memory as its bytes, even if it is small', async () => {
    const { body } = await renderer.render({ ...plain, width: 64 });
    expect([body.length < 4_000, body.buffer.byteLength]).toEqual([true, body.length]);
  });

  it('reads as any text that fits, to the byte', async () => {
    const text = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('png', 'svg'), async (payload, format) => {
        const { body } = await renderer.render({ ...plain, payload, format, width: 600 });
        expect(await decodeQr(format === 'png' ? body : await asPng(body))).toBe(payload);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same to the byte for the same request, in any thread', async () => {
    const others = createRenderer({ threads: 2, waitMsMax });
    for (const format of ['png', 'svg'] as const) {
      const bodies = await Promise.all(
        [renderer, others, others, others].map(
          async (each) => (await each.render({ ...plain, format })).body,
        ),
      );
      for (const body of bodies) expect(body.equals(bodies[0]!)).toBe(true);
    }
    await others.close();
  });
});

describe('a request that cannot be rendered is refused with its field', () => {
  it.each<[string, Partial<RenderRequest>, string]>([
    ['too many bytes', { payload: 'x'.repeat(2332) }, 'data has 2332 bytes'],
    ['no data', { payload: '' }, 'data must not be empty'],
    ['a size below 64', { width: 63 }, 'width must be a whole number from 64 to 4096'],
    ['a size above 4096', { width: 4097 }, 'width must be a whole number from 64 to 4096'],
    ['a size that is not whole', { width: 100.5 }, 'width must be a whole number from 64 to 4096'],
    ['a size that is not a number', { width: Number.NaN }, 'width must be a whole number from 64 to 4096'],
    [
      'a negative margin',
      { look: resolveStyle({ margin: -1 }) },
      'margin must be a whole number from 0 to 40',
    ],
    [
      'a margin above 40',
      { look: resolveStyle({ margin: 41 }) },
      'margin must be a whole number from 0 to 40',
    ],
    [
      'more modules than the pixels can show',
      { width: 64, payload: 'x'.repeat(300) },
      'size 64 is too small to be read: the 77 modules of this code, quiet zone included, need 193',
    ],
  ])('%s', async (_, change, message) => {
    const refused = await renderer.render({ ...plain, ...change }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ClientError);
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', message: expect.stringContaining(message) });
  });

  it('except that an SVG, which scales, may have any size', async () => {
    const { body } = await renderer.render({ ...plain, format: 'svg', width: 64, payload: 'x'.repeat(300) });
    expect(body.toString()).toContain('width="64"');
  });
});

describe('the renderer under load', () => {
  it('refuses a render that does not fit in the queue with UNAVAILABLE, and renders the rest', async () => {
    const small = createRenderer({ threads: 1, waitingMax: 2, waitMsMax });
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => small.render(plain)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(small.load()).toEqual({ running: 0, waiting: 0, tenants: 0 });
    await small.close();
  });

  it('refuses a render beyond its tenant’s limit with RATE_LIMITED, reports it, and renders another’s', async () => {
    const refused: string[] = [];
    const small = createRenderer({
      threads: 1,
      waitingPerTenantMax: 2,
      waitMsMax,
      onRefused: (why) => refused.push(why),
    });
    const many = Promise.allSettled(Array.from({ length: 6 }, () => small.render(plain, 'many')));
    expect((await small.render(plain, 'one')).decoded).toBe('yes');
    const reasons = (await many).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(reasons).toEqual(
      Array(3).fill(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 2 })),
    );
    expect(refused).toEqual(Array(3).fill('tenant_full'));
    await small.close();
  });

  it('ends a render that takes too long, and continues in a new thread', async () => {
    const hasty = createRenderer({ threads: 1, renderMsMax: 1_500 });
    // On a busy machine a thread's first render may take too long as well.
    const small = () =>
      hasty.render({ ...plain, format: 'svg' }).then(
        () => 'rendered',
        (error: ClientError) => error.message,
      );
    await expect.poll(small, { timeout: 60_000 }).toBe('rendered');
    // Three times as long as allowed, on an idle machine.
    const colorStops = [
      { offset: 0, color: '#102a43' },
      { offset: 1, color: '#7b1e3a' },
    ];
    const slow: RenderRequest = {
      payload: 'x'.repeat(2000),
      look: resolveStyle({ dotsOptions: { type: 'dots', color: { type: 'radial', colorStops } } }),
      format: 'webp',
      width: 4096,
    };
    await expect(hasty.render(slow)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Rendering took too long; try again, or ask for a smaller size',
    });
    await expect.poll(small, { timeout: 60_000 }).toBe('rendered');
    await hasty.close();
  });

  it('may end a thread at any moment of its start', async () => {
    // V8 aborts the whole process if the end comes while modules that await are run (thread.ts).
    for (let renderMsMax = 20; renderMsMax <= 800; renderMsMax += 30) {
      const hasty = createRenderer({ threads: 1, renderMsMax, startMsMax: 0 });
      await hasty
        .render({ ...plain, format: 'svg' })
        .catch((error) => expect(error).toBeInstanceOf(ClientError));
      await hasty.close();
    }
  });

  it('leaves the event loop free for requests', async () => {
    await renderer.render(plain);
    const before = performance.eventLoopUtilization();
    const largest: RenderRequest = { ...plain, payload: 'x'.repeat(2331), format: 'svg' };
    await Promise.all(Array.from({ length: 30 }, () => renderer.render(largest)));
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});

describe('closing the renderer', () => {
  it('finishes the accepted renders, refuses new ones, and may be repeated', async () => {
    const closing = createRenderer({ threads: 1 });
    const taken = [closing.render(plain), closing.render(plain), closing.render(plain)];
    const closed = closing.close();
    await expect(closing.render(plain)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    for (const rendering of taken) expect((await rendering).contentType).toBe('image/png');
    await closed;
    await closing.close();
  });

  /** Counts the threads that are started from now on. */
  const countThreads = () => {
    const counted = { running: 0, stop: () => void process.off('worker', onWorker) };
    const onWorker = (thread: Worker) => {
      counted.running++;
      thread.once('exit', () => counted.running--);
    };
    process.on('worker', onWorker);
    return counted;
  };

  it('ends the threads', async () => {
    const threads = countThreads();
    const closing = createRenderer({ threads: 2 });
    await closing.render(plain);
    expect(threads.running).toBe(2);
    await closing.close();
    threads.stop();
    expect(threads.running).toBe(0);
  });

  it('waits for a thread that was ended for its render, so that no replacement is started', async () => {
    const threads = countThreads();
    for (let renderMsMax = 1; renderMsMax <= 20; renderMsMax++) {
      const hasty = createRenderer({ threads: 1, renderMsMax, startMsMax: 0 });
      await expect(hasty.render(plain)).rejects.toBeInstanceOf(ClientError);
      await hasty.close();
      expect(threads.running).toBe(0);
    }
    threads.stop();
  });
});
