/** `/mcp` with the client of the protocol's own authors, against a running control plane. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { readingTools, writingTools } from './offered-tools.ts';

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
});

const revisions = ['2026-07-28', 'legacy'] as const;

const connect = async (
  apiKey: string,
  { revision = '2026-07-28', path = '/mcp' }: { revision?: (typeof revisions)[number]; path?: string } = {},
): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === 'legacy' ? 'legacy' : { pin: revision } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, plane.url), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }),
  );
  return client;
};

describe.each(revisions)('a client of %s', (revision) => {
  test('lists tools and calls one', async () => {
    const client = await connect(workspace.apiKey, { revision, path: '/mcp?access=write' });
    const { tools } = await client.listTools();
    console.log(client.getNegotiatedProtocolVersion?.(), tools.length, JSON.stringify(tools).length);
    const made = await client.callTool({
      name: 'create_code',
      arguments: { data: 'https://example.com/', name: 'Door' },
    });
    console.log(JSON.stringify(made).slice(0, 1500));
    const bad = await client.callTool({
      name: 'create_code',
      arguments: { data: 'javascript:1', name: 'Door' },
    });
    console.log(JSON.stringify(bad).slice(0, 1500));
    await client.close();
  });
});
