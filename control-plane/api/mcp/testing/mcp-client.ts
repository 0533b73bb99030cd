/** The client of the protocol's own authors. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';

export const revisions = ['2026-07-28', '2025-11-25'] as const;

export interface ConnectOptions {
  revision?: (typeof revisions)[number];
  /** The path of the tools. Default: the tools that only read. */
  path?: string;
  headers?: Record<string, string>;
}

export const connectMcp = async (
  url: string,
  apiKey: string,
  { revision = '2026-07-28', path = '/mcp', headers = {} }: ConnectOptions = {},
): Promise<Client> => {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, url), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}`, ...headers } },
    }),
  );
  return client;
};

const result = z.object({
  isError: z.boolean().default(false),
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image'), data: z.base64(), mimeType: z.string() }),
    ]),
  ),
});

export type Result = z.output<typeof result>;

export const use = async (client: Client, name: string, args: object = {}): Promise<Result> =>
  result.parse(await client.callTool({ name, arguments: { ...args } }));

/** The text of a result that is one. */
export const textOf = ({ content }: Result): string =>
  content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');

/** The JSON of a result that is no refusal. @throws {Error} with the refusal */
export const jsonOf = async (client: Client, name: string, args: object = {}): Promise<unknown> => {
  const given = await use(client, name, args);
  if (given.isError) throw new Error(textOf(given));
  return JSON.parse(textOf(given));
};
