/**
 * `waymark mcp`: the tools of the API over standard input and output, for programs that start their servers of the Model
 * Context Protocol. Each call goes to `/mcp` of the API, which has the tools: there is no second list of them here.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ok } from '@waymark/client';
import type { Command } from 'commander';
import type { Connection, Settings } from './settings.ts';

const own = { name: 'waymark', title: 'Waymark', version: '0.1.0' };

/** @throws {Error} if the API cannot be reached */
const connect = async ({ baseUrl, apiKey }: Connection, access: 'read' | 'write'): Promise<Client> => {
  const client = new Client(own, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/mcp?access=${access}`);
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }),
  );
  return client;
};

const serverOf = (api: Client): Server => {
  const instructions = api.getInstructions();
  const server = new Server(own, {
    capabilities: { tools: {} },
    ...(instructions !== undefined && { instructions }),
  });
  server.setRequestHandler('tools/list', () => api.listTools());
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args } }) =>
    api.callTool({ name, ...(args && { arguments: args }) }),
  );
  return server;
};

export const addMcpCommand = (program: Command, settings: Settings): void => {
  program
    .command('mcp')
    .description('Serves the API as tools for models, over standard input and output.')
    .option('--write', 'also the tools that change something; without it, tools only read')
    .action(async ({ write }: { write?: true }) => {
      // A wrong key is refused in the API's own words.
      await ok(settings.waymark.GET('/api/qr/me'));
      const api = await connect(settings.connection, write ? 'write' : 'read');
      // Standard output belongs to the protocol.
      serveStdio(() => serverOf(api), { onerror: (error) => console.error(error.message) });
    });
};
