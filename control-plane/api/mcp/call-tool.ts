/**
 * Calls a tool: its operation is requested in this process, through everything that a request from outside goes through,
 * with the key and the address of the client. So permissions, limits, quotas, idempotency and both logs hold for tools as
 * they do for the API.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inject } from 'light-my-request';
import { ClientError } from '#shared/errors.ts';
import { type Arguments, requestOf } from './tool-request.ts';
import { type Answer, failure, readAnswer, refusalText, type ToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

export type Dispatch = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Who calls. */
export interface Caller {
  /** The header. */
  authorization: string;
  address: string;
}

const request = async (
  dispatch: Dispatch,
  tool: Tool,
  args: Arguments,
  { authorization, address }: Caller,
): Promise<Answer> => {
  const { method, url, headers, body } = requestOf(tool, args);
  const {
    statusCode,
    headers: answered,
    rawPayload,
  } = await inject(dispatch as Parameters<typeof inject>[0], {
    method: method.toUpperCase() as 'GET',
    url,
    headers: { ...headers, authorization, 'user-agent': 'Waymark MCP' },
    remoteAddress: address,
    ...(body !== undefined && { payload: body }),
  });
  return { status: statusCode, headers: answered, body: rawPayload };
};

/**
 * @param docsUrl of the page that explains the codes
 * @returns the result, also of a refusal: a model reads what is wrong and tries again
 */
export const callTool = async (
  dispatch: Dispatch,
  tool: Tool,
  args: Arguments,
  caller: Caller,
  docsUrl: string,
): Promise<ToolResult> => {
  const isPaged = tool.args.has('limit') && tool.args.has('cursor');
  try {
    const read = readAnswer(await request(dispatch, tool, args, caller), isPaged);
    if ('result' in read) return read.result;
    const again = readAnswer(await request(dispatch, tool, { ...args, limit: read.fits }, caller), false);
    if (!('result' in again)) throw new Error('an answer that is not paged has a result');
    return again.result;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { message, code } = error;
    return failure(refusalText({ error: message, code, docUrl: `${docsUrl}#${code}` }));
  }
};
