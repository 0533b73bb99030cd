/** GET /api/qr/serialized-batches/{batchId}/labels.csv */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type Workspace } from '../../../../testing/control-plane.ts';
import { batchesPath, batchOf, minted } from '../../testing/mints.ts';

const gtin = '09506000134352';

let own: Workspace;
let plane: Awaited<ReturnType<typeof startTestControlPlane>>;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const fileOf = async (batchId: string, query = ''): Promise<string> => {
  const { status, body, headers } = await own.call('GET', `${batchesPath}/${batchId}/labels.csv${query}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  return String(body);
};

const rowsOf = (file: string): Record<string, string>[] =>
  parse(file, { columns: true, record_delimiter: '\r\n' });

describe('the file for label printers', () => {
  test('has a line for each item, in order, with everything that a label may show', async () => {
    const product = { productSku: 'OIL-500', productName: 'Olive oil, 500 ml', brandName: 'Groves & Sons' };
    const { batchId } = await minted(own.call, { count: 1200, gtin, ...product });
    const { items } = await batchOf(own.call, batchId);
    const rows = rowsOf(await fileOf(batchId));
    expect(rows.map(({ position }) => position)).toEqual(
      Array.from({ length: 1200 }, (_, at) => `${at + 1}`),
    );
    expect(rows.slice(0, 500).map(({ itemId, url }) => ({ itemId, url }))).toEqual(
      items.map(({ itemId, url }) => ({ itemId, url })),
    );
    const { serial } = rows[0]!;
    expect(serial).toMatch(new RegExp(`^${items[0]!.itemId}[1-9A-HJ-NP-Za-km-z]{8}$`));
    expect(rows[0]).toEqual({
      itemId: items[0]!.itemId,
      url: items[0]!.url,
      gtin,
      serial,
      hri: `(01)${gtin}(21)${serial}`,
      elementString: `01${gtin}21${serial}`,
      ...product,
      position: '1',
    });
  });

  test('has the GS1 Digital Link instead of the URL on request, with the same serial', async () => {
    const { batchId } = await minted(own.call, { count: 1, gtin });
    const [row] = rowsOf(await fileOf(batchId, '?uriFormat=gs1'));
    expect(new URL(row!.url!).pathname).toBe(`/01/${gtin}/21/${row!.serial}`);
  });

  test('leaves the GS1 columns empty if the batch has no GTIN', async () => {
    const { batchId } = await minted(own.call, { count: 1 });
    expect(rowsOf(await fileOf(batchId))[0]).toMatchObject({
      gtin: '',
      serial: '',
      hri: '',
      elementString: '',
    });
    const { status, body } = await own.call('GET', `${batchesPath}/${batchId}/labels.csv?uriFormat=gs1`);
    expect([status, body]).toMatchObject([422, { error: expect.stringMatching(/^uriFormat must be url/) }]);
  });

  test('follows RFC 4180, has a byte order mark only on request, and no cell is a formula', async () => {
    const { batchId } = await minted(own.call, { count: 2, productName: '=1+1, "Öl"', productSku: '-5' });
    const file = await fileOf(batchId);
    expect(file.split('\r\n')).toHaveLength(4);
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(file).toContain(`,'-5,"'=1+1, ""Öl""",`);
    expect(await fileOf(batchId, '?bom=true')).toBe(`\ufeff${file}`);
  });

  test('is refused for a batch that is not minted, of another workspace, or unknown', async () => {
    const minting = await minted(own.call, { count: 1 });
    await plane.pool.query(`UPDATE serialized_batches SET status = 'minting' WHERE id = $1`, [
      minting.batchId,
    ]);
    const statusOf = async (call: Workspace['call'], batchId: string) =>
      (await call('GET', `${batchesPath}/${batchId}/labels.csv`)).status;
    expect(await statusOf(own.call, minting.batchId)).toBe(409);
    const other = await plane.workspace();
    expect(await statusOf(other.call, minting.batchId)).toBe(403);
    expect(await statusOf(own.call, 'batch_1111111111111111')).toBe(404);
  });
});
