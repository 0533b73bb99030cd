/** The server of one request: what the protocol asks of it, for the caller of that request. */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { quoted } from '#shared/quoted.ts';
import type { Arguments } from './tool-request.ts';
import type { ToolResult } from './tool-result.ts';
import type { Access, Tool } from './tools.ts';

export interface ServerOptions {
  version: string;
  access: Access;
  /** The tools that the caller may use. */
  tools: readonly Tool[];
  isTest: boolean;
  call(tool: Tool, args: Arguments): Promise<ToolResult>;
}

/** How long a client may take the list for current: it changes with a release, or with the permissions of the key. */
const listFreshMs = 300_000;

const instructionsOf = ({ access, isTest }: ServerOptions): string =>
  [
    'Waymark makes QR codes whose destination can be changed after they are printed, counts their scans, and hosts pages, menus and forms.',
    'Lists come in pages: pass the nextCursor of an answer as cursor.',
    ...(access === 'read'
      ? ['These tools only read. Tools that change something are at the same address with ?access=write.']
      : ['A change reaches printed codes at once: ask before you change or switch off what is printed.']),
    ...(isTest ? ['The key is a test key: everything here is test data.'] : []),
  ].join(' ');

export const createMcpServer = (options: ServerOptions): Server => {
  const { version, tools, access, call } = options;
  const server = new Server(
    { name: 'waymark', title: 'Waymark', version },
    {
      capabilities: { tools: {} },
      instructions: instructionsOf(options),
      cacheHints: { 'tools/list': { ttlMs: listFreshMs, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${quoted(name)} for this key${access === 'read' ? ' without ?access=write' : ''}`,
      );
    return call(tool, args);
  });
  return server;
};
