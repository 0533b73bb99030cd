/** The guide's lines work when pasted, one after the other, and answer as shown. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { startTestRedirector } from '../../../redirector/testing/redirector.ts';
import { secretKey, startTestControlPlane } from '../../testing/control-plane.ts';

const run = async (script: string) =>
  promisify(execFile)('bash', ['-c', script], { cwd: await temporaryFolder() });

test.skipIf(!hasProgram('curl'))(
  'a scan, its conversion, the repeat and the analytics of the guide work when pasted, and answer as it shows',
  async () => {
    const server = await startTestRedis();
    const plane = await startTestControlPlane({ redisUrl: server.url });
    const redirector = await startTestRedirector({
      REDIS_URL: server.url,
      CLICKHOUSE_URL: plane.clickhouseUrl,
      SECRET_KEY: secretKey,
      CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
    });
    await redirector.connected();
    const { apiKey } = await plane.workspace();
    const markdown = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
    const guide = [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!).join('');
    const steps = [...guide.matchAll(/([\s\S]*?)^# → (.*)\n/gm)];
    expect(steps).toHaveLength(4);
    const script = [
      'set -eo pipefail',
      `KEY=${apiKey}`,
      ...steps.map(([, lines]) => `${lines}\nprintf '\\f'`),
    ]
      .join('\n')
      .replaceAll('localhost:3000', plane.url.slice(7))
      .replaceAll('localhost:8080', redirector.url.slice(7));
    const answers = (await run(script)).stdout.split('\f');
    for (const [at, [, , shown]] of steps.entries())
      for (const part of shown!.split(' … ')) expect(answers[at]).toContain(part);
  },
);
