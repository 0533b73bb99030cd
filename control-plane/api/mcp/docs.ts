/** The documentation of the address of the tools. */
import { z } from 'zod';
import type { OperationDocs } from '../http/operation.ts';
import { errorSchema } from '../openapi/document.ts';
import { rpcAnswer, rpcError } from './messages.ts';
import { type OfferedTool, readingTools, writingTools } from './offered-tools.ts';

const namesOf = (tools: readonly OfferedTool[]): string => tools.map(({ name }) => `\`${name}\``).join(', ');

const refused = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } });

export const mcpDocs: OperationDocs = {
  id: 'callTools',
  tag: 'Tools for models',
  summary: 'Send a message of the Model Context Protocol',
  description: `Answers a message of the [Model Context Protocol](https://modelcontextprotocol.io) over streamable HTTP, in the
revision 2026-07-28 and in earlier ones. There are no sessions and no streams of the server: \`GET\` and \`DELETE\` are 405.
Clients send the API key as \`Authorization: Bearer\`; there is no sign-in by OAuth.

Tools that only read: ${namesOf(readingTools)}.

With \`?access=write\` also: ${namesOf(writingTools)}.

Each tool is an operation of this API, with its parameters and the fields of its body as arguments; some rare ones are left
out. A key with a list of permissions sees the tools that it may use. A call is a call of that operation: the permissions,
the rate, the quotas, idempotency (\`idempotencyKey\`), the request log and the audit log hold for it. The message itself
counts against the rate, and against no quota. A refusal is a result with \`isError\`, with its \`code\` and its \`param\`.
Pictures are images. A text has at most 48 KB: a longer page is made shorter, with the cursor that continues it, and anything
else says that it is cut off.

Messages come one by one: a batch is refused. A request with an \`Origin\` other than this API’s is refused with 403.`,
  requestExamples: {
    list: { summary: 'List the tools', value: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    call: {
      summary: 'Call a tool',
      value: {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'list_codes', arguments: { limit: 5 } },
      },
    },
  },
  responses: {
    200: {
      description: 'The answer. To clients of revisions before 2026-07-28, it is a stream of one event.',
      schema: rpcAnswer,
      example: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '{"data":[]}' }] } },
      contentTypes: ['text/event-stream'],
    },
    202: { description: 'The notification has arrived' },
    404: {
      description: 'The revision 2026-07-28 has no such method',
      schema: rpcError,
      example: refused(-32_601, 'Method not found'),
    },
    406: {
      description: 'The client accepts neither of the two types of an answer',
      schema: rpcError,
      example: refused(-32_000, 'Not Acceptable'),
    },
  },
  refusals: {
    400:
      'The body is not JSON or no message of JSON-RPC, a query parameter is invalid or unknown, or the protocol refuses the ' +
      'message, in a body of its own',
  },
  refusalSchemas: { 400: z.union([errorSchema, rpcError]) },
};
