import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { afterFile } from '../../deploy/testing/local.ts';
import { resolveStyle } from './look/resolve-style.ts';
import { createRenderer } from './renderer.ts';
import type { Series } from './series.ts';

const renderer = createRenderer({ threads: 1 });
afterFile(() => renderer.close());

const payloads = Array.from({ length: 20 }, (_, n) => `https://qr.example.com/v/2NqU7yWbZ4kc/2${n}aGq8vR7m`);

/** The pictures of a series, one by one as they are stored. */
const partsOf = ({ data, pictures }: Series): Buffer[] => {
  let at = 0;
  return pictures.map(({ packedBytes }) => {
    at += packedBytes;
    return Buffer.from(data.subarray(at - packedBytes, at));
  });
};

describe('a series', () => {
  it.each([
    ['svg', true, {}],
    ['svg', true, { dotsOptions: { type: 'rounded', color: '#1d4ed8' } }],
    ['png', false, {}],
    ['png', false, { dotsOptions: { type: 'rounded', color: '#1d4ed8' } }],
  ] as const)(
    'has the pictures that are rendered one by one: %s, compressed %s, %j',
    async (format, deflates, style) => {
      const request = { look: resolveStyle(style), format, width: 300 };
      const series = await renderer.renderSeries({ ...request, payloads, deflates }, 'ws_1');
      if (!('data' in series)) throw new Error(series.message);
      for (const [at, part] of partsOf(series).entries()) {
        const picture = deflates ? inflateRawSync(part) : part;
        const { body } = await renderer.render({ ...request, payload: payloads[at]! });
        expect(picture.equals(body)).toBe(true);
        expect(series.pictures[at]).toEqual({
          bytes: body.length,
          packedBytes: part.length,
          crc: crc32(body),
        });
      }
    },
  );

  it('says which picture cannot be drawn, and why', async () => {
    const look = resolveStyle({ qrOptions: { typeNumber: 4 } });
    const request = { look, format: 'svg', deflates: true } as const;
    expect(
      await renderer.renderSeries({ ...request, payloads: ['short', 'x'.repeat(500)] }, 'ws_1'),
    ).toMatchObject({ at: 1, code: 'UNPROCESSABLE', message: expect.stringContaining('data has 500 bytes') });
  });
});
