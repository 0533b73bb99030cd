/** A server that speaks chat completions. Each request is answered by the next of the given answers, the last one again and again. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../../../deploy/testing/local.ts';

export interface Received {
  url: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema: { name: string; strict: boolean } };
  };
  /** The body as it was sent. */
  text: string;
}

export type ModelAnswer = (response: http.ServerResponse, received: Received) => void;

export interface ModelServer {
  /** As `AI_URL` has it. */
  url: string;
  received: Received[];
  /** Answers the next requests. */
  answer(...answers: ModelAnswer[]): void;
}

const send = (response: http.ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const completion = (message: object, finish_reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
});

/** An object as JSON; a text as it is. */
export const says =
  (content: unknown): ModelAnswer =>
  (response) =>
    send(
      response,
      200,
      completion({ content: typeof content === 'string' ? content : JSON.stringify(content) }),
    );

export const ends =
  (message: object, finishReason: string): ModelAnswer =>
  (response) =>
    send(response, 200, completion(message, finishReason));

export const fails =
  (
    status: number,
    headers: Record<string, string> = {},
    body: unknown = { error: { message: 'no' } },
  ): ModelAnswer =>
  (response) =>
    send(response, status, body, headers);

/** Begins, and never ends. */
export const trickles: ModelAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** More than any answer may have. */
export const floods: ModelAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

export const startModelServer = async (): Promise<ModelServer> => {
  const received: Received[] = [];
  let answers: ModelAnswer[] = [fails(500)];
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { url = '', headers } = request;
      const got = { url, authorization: headers.authorization, body: JSON.parse(text), text };
      received.push(got);
      const [next] = answers.length > 1 ? answers.splice(0, 1) : answers;
      next?.(response, got);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    answer(...next) {
      received.length = 0;
      answers = next;
    },
  };
};
