/** The messages of `POST /mcp`: JSON-RPC 2.0, of which the protocol itself checks the rest. */
import { z } from 'zod';
import { boundedText } from '#schemas/api/text.ts';

export const mcpQuery = z.object({
  access: z
    .enum(['read', 'write'])
    .default('read')
    .describe('`read`: tools that change nothing. `write`: all tools that the key may use.'),
});

export type McpQuery = z.output<typeof mcpQuery>;

const id = z.union([boundedText(200), z.int()]);

export const message = z.looseObject({
  jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
  id: id.optional().describe('The id of a request, which its answer repeats. A notification has none.'),
  method: boundedText(200).describe('The method, such as `tools/list` or `tools/call`.'),
  params: z.looseObject({}).optional().describe('What the method takes.'),
});

export type Message = z.output<typeof message>;

export const rpcError = z
  .object({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
    id: id.nullable().optional().describe('The id of the request, if it is known.'),
    error: z
      .looseObject({
        code: z.int().describe('The reason, for programs.'),
        message: z.string().describe('The reason.'),
      })
      .describe('What is wrong.'),
  })
  .describe('A refusal by the protocol.');

export const rpcAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
    id: id.nullable().optional().describe('The id of the request.'),
    result: z.looseObject({}).optional().describe('The result of the method. Absent if it failed.'),
    error: rpcError.shape.error.optional().describe('Why the method failed.'),
  })
  .describe('The answer to a request.');
