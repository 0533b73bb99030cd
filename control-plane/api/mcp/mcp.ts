/**
 * `POST /mcp`: the API as tools for models, by the Model Context Protocol. Each message is answered by itself, in the
 * revision 2026-07-28 and in those before it: nothing of a client is kept between two of them.
 */
import { readFileSync } from 'node:fs';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { bodyLimits } from '../http/body.ts';
import { type Operation, type OperationRequest, operation, type Reply } from '../http/operation.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { callTool, type Dispatch } from './call-tool.ts';
import { mcpDocs } from './docs.ts';
import { type McpQuery, type Message, mcpQuery, message } from './messages.ts';
import { createMcpServer } from './server.ts';
import { createTools, type Tool, toolsFor } from './tools.ts';

/** What is known once all operations are served, this one included. */
export interface Served {
  operations: readonly Operation[];
  document: OpenApiDocument;
  dispatch: Dispatch;
}

export interface Mcp {
  operation: Operation;
  /** To be called before the first request. */
  serve(served: Served): void;
}

export interface McpOptions {
  /** The origin of the API: the only one whose pages may call it. */
  baseUrl: string;
  /** The URL of the page of /docs that explains the codes of errors. */
  docsUrl: string;
  onError(error: Error): void;
}

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** What the protocol reads of a request. */
const headerNames = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

type McpRequest = OperationRequest<McpQuery, Message>;

/**
 * A browser says which page asks. The protocol has servers refuse foreign ones, so that a page whose name was pointed at
 * this machine reaches nothing. @throws {ClientError} FORBIDDEN
 */
const requireOwnOrigin = ({ header }: McpRequest, baseUrl: string): void => {
  const origin = header('origin');
  if (origin !== '' && origin !== new URL(baseUrl).origin)
    throw new ClientError('FORBIDDEN', `Origin must be absent or that of this API; given: ${quoted(origin)}`);
};

/** Both types of an answer; the protocol wants them written out. */
const anyAnswer = 'application/json, text/event-stream';

/** Without its body, which is parsed already. */
const webRequest = ({ header }: McpRequest, url: string): Request => {
  const headers = headerNames.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === '' ? [] : [[name, value]];
  });
  const request = new Request(url, { method: 'POST', headers });
  if (/^(\*\/\*)?$/.test(header('accept'))) request.headers.set('accept', anyAnswer);
  if (header('content-type') === '') request.headers.set('content-type', 'application/json');
  return request;
};

const replyOf = async (response: Response): Promise<Reply> => {
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: { 'cache-control': 'no-store', ...(type !== null && { 'content-type': type }) },
    ...(body.length > 0 && { body }),
  };
};

export const createMcp = ({ baseUrl, docsUrl, onError }: McpOptions): Mcp => {
  let served: { tools: readonly Tool[]; dispatch: Dispatch } = {
    tools: [],
    dispatch: () => {
      throw new Error('tools are called before the API is served');
    },
  };

  const answer = async (request: McpRequest): Promise<Response> => {
    const { principal, query, body } = request;
    const { tools, dispatch } = served;
    const caller = {
      authorization: request.header('authorization'),
      address: request.clientAddress(),
      gone: request.gone(),
    };
    const handler = createMcpHandler(
      () =>
        createMcpServer({
          version,
          access: query.access,
          tools: toolsFor(tools, query.access, principal),
          isTest: principal.isTest,
          call: (tool, args) => callTool(dispatch, tool, args, caller, docsUrl),
        }),
      // Nothing is subscribed to: the tools stay as they are.
      { legacy: 'stateless', maxSubscriptions: 0, onerror: onError },
    );
    return handler.fetch(webRequest(request, `${baseUrl}/mcp`), { parsedBody: body });
  };

  return {
    operation: operation({
      method: 'post',
      path: '/mcp',
      permission: 'any',
      isUncounted: true,
      query: mcpQuery,
      body: message,
      bodyLimit: bodyLimits.mcp,
      docs: mcpDocs,
      async handle(request) {
        requireOwnOrigin(request, baseUrl);
        return replyOf(await answer(request));
      },
    }),
    serve({ operations, document, dispatch }) {
      served = { tools: createTools(operations, document), dispatch };
    },
  };
};
