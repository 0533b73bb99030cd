/** The file of the verb `export-nginx` is loaded by the real nginx, and its codes are scanned. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { beforeAll, expect, test, vi } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { startNginx } from '../../../../deploy/edge/testing/proxy.ts';
import { freePort, temporaryFolder } from '../../../../deploy/testing/local.ts';
import { hasProgram } from '../../../../deploy/testing/programs.ts';
import { startTestControlPlane, type TestControlPlane } from '../../../testing/control-plane.ts';

const program = fileURLToPath(new URL('../../../admin.ts', import.meta.url));

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
}, 120_000);

/** As an operator calls it. @returns its exit code, its file in chunks, and its messages */
const exportNginx = (
  env: Record<string, string> = {},
  nodeFlags: readonly string[] = [],
  take?: (chunk: string) => void,
) =>
  new Promise<{ code: number | null; file: string; said: string }>((resolve) => {
    const { databaseUrl, clickhouseUrl } = plane;
    const child = spawn(process.execPath, [...nodeFlags, program, 'export-nginx'], {
      env: {
        DATABASE_URL: databaseUrl,
        CLICKHOUSE_URL: clickhouseUrl,
        QR_HOST: 'http://qr.example.com',
        ...env,
      },
    });
    const taken = { file: '', said: '' };
    child.stdout.setEncoding('utf8').on(
      'data',
      take ??
        ((chunk: string) => {
          taken.file += chunk;
        }),
    );
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      taken.said += chunk;
    });
    child.once('close', (code) => resolve({ code, ...taken }));
  });

const recordScan = async (workspaceId: string, id: string): Promise<void> => {
  const clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  await clickhouse.command({
    query: `INSERT INTO scans (event_id, ts, workspace_id, code_id, kind)
      SELECT generateUUIDv4(), now64(3), {workspaceId:String}, {id:String}, 'scan'`,
    query_params: { workspaceId, id },
  });
  await clickhouse.close();
};

/** The codes of two workspaces; one code has reached its cap. */
const makeCodes = async () => {
  const [one, other] = [await plane.workspace(), await plane.workspace()];
  const [first, second, capped] = [
    await one.createCode({ data: 'https://one.example/' }),
    await other.createCode({ data: 'https://other.example/' }),
    await other.createCode({ data: 'https://capped.example/', maxScans: 1 }),
  ];
  await recordScan(other.workspaceId, capped.id);
  return { first: first.id, second: second.id, capped: capped.id };
};

test.runIf(hasProgram('nginx'))(
  'nginx redirects the codes of all workspaces with one file, without Waymark',
  async () => {
    const codes = await makeCodes();
    const { code, file, said } = await exportNginx();
    expect({ code, said }).toEqual({ code: 0, said: '' });
    expect(file).toContain('# The codes of all workspaces at ');
    expect(file).toMatch(/# The end: 3 codes\.\n$/);
    const [folder, port] = [await temporaryFolder(), await freePort()];
    const conf = path.join(folder, 'nginx.conf');
    const own = file.replace('listen 80;', `listen 127.0.0.1:${port};`);
    await writeFile(conf, `events {}\nhttp { access_log off;\n${own} }\n`);
    const nginx = startNginx(folder, conf);
    const scan = async (id: string) => {
      const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}/r/${id}`);
      await body.dump();
      return [statusCode, headers.location];
    };
    await vi.waitFor(
      async () => {
        if (nginx.hasEnded()) throw new Error(nginx.said());
        expect(await scan(codes.first)).toEqual([302, 'https://one.example/']);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(await scan(codes.second)).toEqual([302, 'https://other.example/']);
    expect(await scan(codes.capped)).toEqual([410, undefined]);
  },
  120_000,
);

test('without ClickHouse the file is complete, and the operator is warned about codes with maxScans', async () => {
  const { code, file, said } = await exportNginx({ CLICKHOUSE_URL: 'http://127.0.0.1:1' });
  expect(code).toBe(0);
  expect(said).toMatch(/^ClickHouse does not answer \(.*\): codes with maxScans redirect in this file.*\n$/);
  expect(file).toMatch(/# The end: \d+ codes\.\n$/);
}, 120_000);

test('its memory does not grow with the number of codes', async () => {
  const { workspaceId } = await plane.workspace();
  // Together much larger than the free heap of the program, which takes some 60 MB itself.
  const [chars, codes] = [2_000, 30_000];
  await plane.pool.query(
    `INSERT INTO codes (id, workspace_id, data_type, destination)
     SELECT 'z' || translate(lpad(n::text, 8, '0'), '0', 'a'), $1, 'text', repeat('x', $2) FROM generate_series(1, $3) n`,
    [workspaceId, chars, codes],
  );
  let bytes = 0;
  const { code, said } = await exportNginx({}, ['--max-old-space-size=96'], (chunk) => {
    bytes += chunk.length;
  });
  expect({ code, said }).toEqual({ code: 0, said: '' });
  expect(bytes).toBeGreaterThan(codes * chars);
}, 120_000);
