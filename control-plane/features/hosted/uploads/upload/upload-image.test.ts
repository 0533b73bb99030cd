/** Uploads overtaken at each step, with a real PostgreSQL and a folder. */
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase, temporaryFolder } from '../../../../../deploy/testing/index.ts';
import { createPool, type Pool } from '../../../../platform/db/pool.ts';
import { createFileStorage } from '../../../../platform/storage/file/file-storage.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { keysOf } from '../../../../platform/storage/testing/contents.ts';
import { createWorkspace } from '../../../tenancy/store.ts';
import { createImageEncoder } from '../encoding/image-encoder.ts';
import { createImageIds } from '../image-ids.ts';
import { dataUrlOf, plain } from '../testing/pictures.ts';
import { createUploadImage, type UseImage } from './upload-image.ts';

let pool: Pool;
let storage: Storage;
let workspaceId: string;

const encoder = createImageEncoder();
afterFile(encoder.close);
const ids = createImageIds(Buffer.alloc(32, 7));

beforeAll(async () => {
  pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
  afterFile(() => pool.end());
  storage = createFileStorage(await temporaryFolder());
  ({ workspaceId } = await createWorkspace(pool, 'test', 'growth'));
});

const unused: UseImage = async () => {};

let pictures = 0;
/** A new picture with bytes unlike any earlier one. */
const picture = async (): Promise<string> =>
  dataUrlOf(
    await plain(20 + ++pictures, 20)
      .png()
      .toBuffer(),
    'png',
  );

/** @returns the id of the image */
const upload = async (dataUrl: string, over: Partial<Storage> = {}): Promise<string> => {
  const uploadImage = createUploadImage({
    pool,
    storage: { ...storage, ...over },
    encoder,
    ids,
    qrHost: 'https://qr.example.com',
  });
  return (await uploadImage({ workspaceId, kind: 'hero', dataUrl }, unused)).split('/')[4]!;
};

const stateOf = async (id: string): Promise<string | undefined> =>
  (await pool.query('SELECT state FROM uploaded_images WHERE id = $1', [id])).rows[0]?.state;

const filesOf = async (id: string): Promise<number> => (await keysOf(storage, `images/${id}/`)).length;

test('an image whose removal begins after an upload has found it stays removed; the upload creates another image', async () => {
  const dataUrl = await picture();
  const former = await upload(dataUrl);
  const latter = await upload(dataUrl, {
    async get(key) {
      const found = await storage.get(key);
      await pool.query(`UPDATE uploaded_images SET state = 'removing' WHERE id = $1`, [former]);
      return found;
    },
  });
  expect(latter).not.toBe(former);
  expect([await stateOf(former), await stateOf(latter), await filesOf(latter)]).toEqual([
    'removing',
    'stored',
    3,
  ]);
});
