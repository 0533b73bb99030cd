/** The lines of the guide work when pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plan } from '#schemas/api/plans.ts';
import { batchList } from '#schemas/api/serialized.ts';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { allotmentOf } from './quota.ts';

const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');

test.skipIf(!hasProgram('curl'))(
  'the first block of the guide mints a batch, reads its files, marks an item, and recalls the batch',
  async () => {
    const plane = await startTestControlPlane();
    const { apiKey, call } = await plane.workspace();
    const folder = await temporaryFolder();
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(guide)!;
    const settings = `set -eo pipefail; KEY=${apiKey};`;
    const script = `${settings}\n${block}`.replaceAll('localhost:3000', plane.url.slice(7));
    await promisify(execFile)('bash', ['-c', script], { cwd: folder });
    const linesOf = async (file: string) =>
      (await readFile(path.join(folder, file), 'utf8')).split('\r\n').slice(1, -1);
    expect(await linesOf('items.csv')).toHaveLength(500);
    for (const line of await linesOf('links.csv')) expect(line).toMatch(/\/01\/09506000134352\/21\/\w{20},/);
    const { body } = await call('GET', '/api/qr/serialized-batches');
    expect(body).toMatchObject({
      batches: [{ batchName: 'Spring drop', count: 500, status: 'completed', notice: 'recalled' }],
    });
    const { batchId } = batchList.parse(body).batches[0]!;
    expect((await call('GET', `/api/qr/serialized-batches/${batchId}/marks`)).body).toMatchObject({
      data: [{ position: 1, mark: { state: 'stolen' } }],
    });
  },
);

test('the items of each plan are as the guide says', () => {
  const said = plan.options
    .map((name) => [name, allotmentOf({ plan: name })] as const)
    .filter(([, items]) => items > 0)
    .map(([name, items]) => `${name[0]!.toUpperCase()}${name.slice(1)} ${items.toLocaleString('en')}`);
  expect(guide).toContain(`subscription: ${said.join(', ')}.`);
});
