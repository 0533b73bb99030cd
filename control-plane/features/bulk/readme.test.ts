/** The guide's blocks work when pasted one after the other, within the calls that a subscription may send. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { ipLimits } from '../../api/access/ip-limits.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);

/** The calls that the limit counts. */
const bulkCalls =
  /localhost:3000\/api\/qr\/(?:codes\/bulk|codes\/bulk\/upload(?:\?dryRun=true)?|codes\/bulk\/replace|codes\/bulk\/changes|bulk-generate)"? -H/g;

test('between its waits the guide sends fewer bulk calls than a minute allows, even after an earlier call', () => {
  const minutes = blocks.join('\n').split('sleep 60\n');
  const counts = minutes.map((lines) => lines.match(bulkCalls)?.length ?? 0);
  expect(counts.reduce((sum, count) => sum + count)).toBe(10);
  for (const count of counts) expect(count).toBeLessThan(ipLimits.bulk.requests);
});

test.skipIf(!hasProgram('curl') || !hasProgram('jq'))(
  'no call of the guide is refused when its blocks are pasted in their order',
  async () => {
    const plane = await startTestControlPlane();
    const { apiKey, call } = await plane.workspace();
    // The limit is raised for the test, so that nothing waits for its minute.
    const settings = `set -eo pipefail; KEY=${apiKey}; sleep() { [ "$1" = 60 ] || command sleep "$1"; }`;
    const script = `${settings}\n${blocks.join('\n')}`.replaceAll('localhost:3000', plane.url.slice(7));
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: await temporaryFolder() });
    expect(stdout).not.toContain('"error"');
    const destinations = async () => JSON.stringify((await call('GET', '/api/qr/codes?limit=100')).body);
    await expect.poll(destinations, { timeout: 60_000 }).toContain('https://example.org/lunch');
    await expect.poll(destinations, { timeout: 60_000 }).toContain('"name":"Menu"');
  },
);
