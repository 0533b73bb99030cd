/**
 * Calls a tool: its operation is requested in this process, through everything that a request from outside goes through,
 * with the key and the address of the client. So permissions, limits, quotas, idempotency and both logs hold for tools as
 * they do for the API.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { inject } from 'light-my-request';
import { ClientError } from '#shared/errors.ts';
import { type Arguments, requestOf } from './tool-request.ts';
import {
  type Answer,
  answerBytesMax,
  failure,
  readAnswer,
  refusalText,
  type ToolResult,
} from './tool-result.ts';
import type { Tool } from './tools.ts';

export type Dispatch = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Who calls. */
export interface Caller {
  /** The header. */
  authorization: string;
  address: string;
  /** Aborted once it waits no longer. */
  gone: AbortSignal;
}

/** @returns undefined if the body is larger than one that is shown: the rest of it is not read */
const readBody = async (stream: Readable, length: unknown): Promise<Buffer | undefined> => {
  if (Number(length) > answerBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > answerBytesMax) return undefined;
  }
  return Buffer.concat(chunks);
};

/**
 * The operation writes at the pace at which its answer is read. The response is destroyed at the end, as that of a client
 * that disconnects: once it is read or too large, or once the caller is gone.
 * @throws {Error} once the caller is gone
 */
const request = async (
  dispatch: Dispatch,
  tool: Tool,
  args: Arguments,
  { authorization, address, gone }: Caller,
): Promise<Answer> => {
  const { method, url, headers, body } = requestOf(tool, args);
  gone.throwIfAborted();
  let end = (): void => undefined;
  const begin: Parameters<typeof inject>[0] = (incoming, response) => {
    end = () => void response.destroy();
    gone.addEventListener('abort', end);
    dispatch(incoming, response);
  };
  try {
    const answered = await inject(begin, {
      method: method.toUpperCase() as 'GET',
      url,
      headers: { ...headers, authorization, 'user-agent': 'Waymark MCP' },
      remoteAddress: address,
      payloadAsStream: true,
      ...(body !== undefined && { payload: body }),
    });
    const { statusCode: status, headers: head } = answered;
    return { status, headers: head, body: await readBody(answered.stream(), head['content-length']) };
  } finally {
    gone.removeEventListener('abort', end);
    end();
  }
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
