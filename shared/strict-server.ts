/**
 * A node:http server that refuses requests another server may read differently, and answers them like every other
 * error. Node's parser refuses most of them, including ambiguous lengths; the rest are detected here.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import { chunksFault, createChunkCount } from './chunk-count.ts';
import { type ErrorCode, errorBody } from './errors.ts';
import { isHost } from './host.ts';

/** The faults in a request's form, on either plane. */
export const requestFaults = {
  length: 'A request must have at most one length: Content-Length with digits, or Transfer-Encoding: chunked',
  method: 'The method must be a token, such as GET',
  unknownMethod: 'The method must be one that HTTP has, such as GET',
  host: 'Host must be a name or an address, with a port or without',
  hosts: 'A request must have one Host',
  chunks: chunksFault,
  target: 'The request target must be ASCII without #, with all else percent-encoded',
  connect: 'CONNECT is not allowed: this is no proxy',
  form: 'The target must be a path, or a URL with http or https',
} as const;

/** Names in lower case. */
export type HeaderLine = [name: string, value: string];

/** The lines of a request, as received. */
export const headerLines = (rawHeaders: readonly string[]): HeaderLine[] =>
  rawHeaders.flatMap((name, index): HeaderLine[] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]!]] : [],
  );

export interface Addressed {
  target: string;
  headers: HeaderLine[];
}

/**
 * Converts a target in absolute form (`GET http://host/path`) to the usual form: the target's host counts, not the
 * header (RFC 9112, section 3.2.2).
 */
export const addressedIn = (url: string, headers: HeaderLine[]): Addressed => {
  const [, host, target = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return { target: url, headers };
  const others = headers.filter(([name]) => name !== 'host');
  return { target: target.startsWith('/') ? target : `/${target}`, headers: [['host', host], ...others] };
};

type Fault = [status: 400 | 429 | 431, message: string];

/**
 * The unanswered requests of a connection that are handled. Node parses all that a read brings, up to 3,600 requests,
 * in one iteration of the loop, and begins each of them at once.
 */
const pipelinedMax = 16;
/** The unanswered requests that a connection may have sent, dropped ones included: they are held until it closes. */
const heldMax = 256;

/** The fault in the form of a request that Node's parser accepts. */
const formFaultOf = ({ url = '/', httpVersion, rawHeaders }: http.IncomingMessage): string | undefined => {
  const sent = headerLines(rawHeaders);
  const { target, headers } = addressedIn(url, sent);
  const hosts = (lines: HeaderLine[]) => lines.filter(([name]) => name === 'host');
  const count = hosts(sent).length;
  if (count > 1 || (count === 0 && httpVersion === '1.1')) return requestFaults.hosts;
  if (!isHost(hosts(headers)[0]?.[1] ?? '')) return requestFaults.host;
  const isCoded = sent.some(([name, value]) => name === 'transfer-encoding' && !/^chunked$/i.test(value));
  if (isCoded) return requestFaults.length;
  // Node's parser accepts a fragment, which a target does not have.
  if (target.includes('#')) return requestFaults.target;
  return target.startsWith('/') ? undefined : requestFaults.form;
};

const faultOf = (request: http.IncomingMessage, headersMax: number): Fault | undefined => {
  // Before they are processed.
  if (request.rawHeaders.length / 2 > headersMax)
    return [431, `A request must not have more than ${headersMax} headers`];
  const fault = formFaultOf(request);
  return fault === undefined ? undefined : [400, fault];
};

/** @param unanswered requests of the connection, with this one */
const refusedFor = (
  request: http.IncomingMessage,
  headersMax: number,
  unanswered: number,
): Fault | undefined =>
  unanswered > pipelinedMax
    ? [429, `A connection must not have more than ${pipelinedMax} requests that are not answered yet`]
    : faultOf(request, headersMax);

/** Counts the unanswered requests of each connection. */
const createUnanswered = () => {
  const counts = new WeakMap<Socket, number>();
  return (socket: Socket, response: http.ServerResponse): number => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    response.once('close', () => counts.set(socket, counts.get(socket)! - 1));
    return count;
  };
};

const bodyOf = (code: ErrorCode, message: string) => {
  const body = JSON.stringify(errorBody(code, message));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'request-id': randomUUID(),
    connection: 'close',
  };
  return { body, headers };
};

/** The parser's errors. */
const parserFaults: Record<string, string> = {
  HPE_UNEXPECTED_CONTENT_LENGTH: requestFaults.length,
  HPE_INVALID_CONTENT_LENGTH: requestFaults.length,
  HPE_INVALID_TRANSFER_ENCODING: requestFaults.length,
  HPE_INVALID_METHOD: requestFaults.unknownMethod,
  HPE_INVALID_URL: requestFaults.target,
};

type Refusal = [status: string, code: ErrorCode, message: string];

const refusalOf = (code = '', headBytesMax: number): Refusal => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      '431 Request Header Fields Too Large',
      'INVALID_REQUEST',
      `The headers must not be larger than ${headBytesMax / 1024} KB`,
    ];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request took too long to arrive'];
  return ['400 Bad Request', 'INVALID_REQUEST', parserFaults[code] ?? 'The request is not valid HTTP'];
};

/** A message that the parser refuses never becomes a request; it is answered here, in the form of every other error. */
const refuseMessage = (socket: Socket, [status, code, message]: Refusal): void => {
  const { body, headers } = bodyOf(code, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
};

/** Connections that end with the answer they have got. */
const ending = new WeakSet<Socket>();

const refuseRequest = (response: http.ServerResponse, [status, message]: Fault): void => {
  ending.add(response.req.socket);
  const isOneTooMany = status === 429;
  const { body, headers } = bodyOf(isOneTooMany ? 'RATE_LIMITED' : 'INVALID_REQUEST', message);
  response.writeHead(status, { ...headers, ...(isOneTooMany && { 'retry-after': '1' }) }).end(body);
};

/**
 * Refuses a body that comes in many small chunks, whether or not it is read. Once the refusal is sent, a reader of the body sees that
 * it breaks off, and the connection ends.
 */
export const limitChunks = (request: http.IncomingMessage, response: http.ServerResponse): void => {
  if (request.headers['transfer-encoding'] === undefined) return;
  const areTooSmall = createChunkCount();
  const { push } = request;
  let isRefused = false;
  const refuse = (): void => {
    isRefused = true;
    if (response.headersSent) return void request.destroy();
    response.once('finish', () => request.destroy());
    refuseRequest(response, [400, requestFaults.chunks]);
  };
  request.push = (chunk: Buffer | null, encoding) => {
    if (!isRefused && chunk !== null && areTooSmall(chunk.length)) refuse();
    // A refusal stops the reading of the connection.
    return !isRefused && push.call(request, chunk, encoding);
  };
  // Chunks after an early answer would not pass through `push` if nothing had been read before.
  request.read(0);
  response.prependOnceListener('finish', () => request.resume());
};

export interface StrictServerOptions extends http.ServerOptions {
  /** The request line and headers, in bytes. */
  maxHeaderSize: number;
  /** How many headers a request may have; by default as many as there is room for. */
  headersMax?: number;
}

/**
 * A connection with too many unanswered requests is answered up to the first too many, and then closed; one with many more
 * is destroyed.
 * @param handle gets no refused requests, and none that follow one on its connection
 * @returns the server, which does not listen yet
 */
export const createStrictServer = (
  { headersMax = Number.POSITIVE_INFINITY, ...options }: StrictServerOptions,
  handle: http.RequestListener,
): http.Server => {
  const countUnanswered = createUnanswered();
  const take: http.RequestListener = (request, response) => {
    const { socket } = request;
    const unanswered = countUnanswered(socket, response);
    if (unanswered > heldMax) socket.destroy();
    if (ending.has(socket)) return;
    const fault = refusedFor(request, headersMax, unanswered);
    limitChunks(request, response);
    if (fault === undefined) return handle(request, response);
    refuseRequest(response, fault);
  };
  // Without a Host the server's own answer would be empty.
  const server = http.createServer({ ...options, requireHostHeader: false }, take);
  // 100-continue is the only defined expectation: unknown ones are ignored, as everywhere else.
  server.on('checkExpectation', take);
  // By default the connection closes without an answer.
  server.on('connect', (_, socket: Socket) =>
    refuseMessage(socket, ['405 Method Not Allowed', 'METHOD_NOT_ALLOWED', requestFaults.connect]),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || ending.has(socket)) socket.destroy();
    else refuseMessage(socket, refusalOf(error.code, options.maxHeaderSize));
  });
  return server;
};
