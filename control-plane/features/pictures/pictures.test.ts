import { expect, test } from 'vitest';
import type { Style } from '#schemas/api/style.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../deploy/testing/index.ts';
import { createPool } from '../../platform/db/pool.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { createRenderer } from '../../rendering/index.ts';
import { createBrandKits } from '../brand-kits/kits.ts';
import { createPictures } from './pictures.ts';

const setUp = async () => {
  const renderer = createRenderer({ threads: 1 });
  afterFile(() => renderer.close());
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
  const fetch = createSafeFetch();
  afterFile(() => fetch.close());
  return createPictures({
    renderer,
    kits: createBrandKits(pool, fetch),
    urlOf: (id) => `https://qr.example.com/r/${id}`,
  });
};

const styled = (color: string): Style => ({ dotsOptions: { type: 'rounded', color } });

test('a style that changes between two reads never gets the name of another version', async () => {
  const pictures = await setUp();
  const code = { id: '123456789', workspaceId: 'ws_1', linkBase: null };
  const blue = async () => ({ version: 1, style: styled('#1e3a8a') });
  const red = async () => ({ version: 2, style: styled('#7f1d1d') });
  const asked = { format: 'svg', size: 300 } as const;
  const svgOf = async (picture: Awaited<ReturnType<typeof pictures.of>>) => {
    const { body, etag } = await picture.draw();
    return { etag, isBlue: String(body).includes('#1e3a8a'), isRed: String(body).includes('#7f1d1d') };
  };
  // The look of version 1 is cached; then the code is found in version 1, but read in version 2.
  await (await pictures.of({ ...code, version: 1 }, {}, blue)).draw();
  const overtaken = await svgOf(await pictures.of({ ...code, version: 1 }, asked, red));
  expect(overtaken).toMatchObject({ isRed: true });
  // The reverse: found in version 3, whose style is blue again, without any red.
  const again = await svgOf(
    await pictures.of({ ...code, version: 3 }, asked, async () => ({ ...(await blue()), version: 3 })),
  );
  expect(again).toMatchObject({ isBlue: true, isRed: false });
  expect(again.etag).not.toBe(overtaken.etag);
  // Found in version 2, whose look is cached since it was read: the same picture.
  await pictures.of({ ...code, version: 1 }, asked, red);
  expect((await svgOf(await pictures.of({ ...code, version: 2 }, asked, red))).etag).toBe(overtaken.etag);
});
