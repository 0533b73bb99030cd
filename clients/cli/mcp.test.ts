/** `waymark mcp`, started as a client starts it, against the running API. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../control-plane/testing/control-plane.ts';
import { afterFile } from '../../deploy/testing/local.ts';

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
});

const program = path.join(import.meta.dirname, 'src/main.ts');

const start = async (mode: 'legacy' | { pin: string }, ...words: string[]) => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=waymark:source', program, 'mcp', ...words],
    env: { PATH: process.env.PATH ?? '', WAYMARK_URL: plane.url, WAYMARK_API_KEY: workspace.apiKey },
  });
  afterFile(() => client.close());
  return { client, connect: () => client.connect(transport) };
};

describe.each([
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2025-11-25', 'legacy'],
] as const)('a client of the revision %s', (revision, mode) => {
  test('has the tools of the API, and gets its results and its refusals', async () => {
    const { client, connect } = await start(mode, '--write');
    await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_code');
    const made = await client.callTool({ name: 'create_code', arguments: { data: 'https://example.com/' } });
    expect(made).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('redirectUrl') }] });
    const refused = await client.callTool({ name: 'create_code', arguments: { data: 'nowhere' } });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^data must be .*\ncode: UNPROCESSABLE/) }],
    });
  });
});

test('without --write there are only tools that read, and others are refused', async () => {
  const { client, connect } = await start({ pin: '2026-07-28' });
  await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false);
  await expect(
    client.callTool({ name: 'create_code', arguments: { data: 'https://a.example/' } }),
  ).rejects.toThrow(/no tool 'create_code'/);
});

test('with a wrong key it ends with 1, and says why', async () => {
  const ended = await promisify(execFile)(process.execPath, ['--conditions=waymark:source', program, 'mcp'], {
    env: { PATH: process.env.PATH, WAYMARK_URL: plane.url, WAYMARK_API_KEY: 'wm_wrong' },
  }).catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/invalid or revoked/) });
});
