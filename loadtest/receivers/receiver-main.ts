/** The process of a receiver: takes deliveries of webhooks, reacts to them as its messages say, and keeps what it has seen. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Answers, Behaviour, Numbered, Reaction, Request, Seen } from './messages.ts';
import { createVerification } from './verification.ts';

/** Of one request, and of all between two `take`s. */
const bodyBytesMax = 4_000_000;
const seenMax = 2_000_000;

const verification = createVerification();
const sockets = new Set<Socket>();
let behaviour: Behaviour = [{ weight: 1, reaction: { kind: 'answer', status: 200 } }];
let seen: Seen[] = [];
let port = 0;

const draw = (): Reaction => {
  const total = behaviour.reduce((sum, { weight }) => sum + weight, 0);
  let left = Math.random() * total;
  for (const { weight, reaction } of behaviour) {
    left -= weight;
    if (left < 0) return reaction;
  }
  return behaviour.at(-1)!.reaction;
};

const readBody = async (request: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error(`a body has more than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const finish = (one: Seen, outcome: Seen['outcome']): void => {
  if (one.outcome !== 'open') return;
  one.outcome = outcome;
  one.doneMs = Date.now();
};

const react = (reaction: Reaction, one: Seen, response: http.ServerResponse): void => {
  response.once('close', () => finish(one, 'gone'));
  if (reaction.kind === 'hang') return;
  if (reaction.kind === 'reset') {
    finish(one, 'reset');
    response.socket?.resetAndDestroy();
    return;
  }
  const answer = () => {
    if (response.destroyed) return;
    finish(one, reaction.status);
    response.writeHead(reaction.status, { 'content-type': 'text/plain' }).end(`status ${reaction.status}`);
  };
  if (reaction.afterMs === undefined) answer();
  else setTimeout(answer, reaction.afterMs);
};

const receive = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
  const atMs = Date.now();
  let body: string;
  try {
    body = await readBody(request);
  } catch {
    // The client has ended the request: there was no delivery.
    response.destroy();
    return;
  }
  const endpoint = request.url?.slice(1) ?? '';
  const facts = verification.factsOf(endpoint, request.headers, body);
  const one: Seen = { endpoint, atMs, doneMs: null, outcome: 'open', ...facts };
  if (seen.length >= seenMax) throw new Error(`more than ${seenMax} requests that nobody has asked for`);
  seen.push(one);
  react(draw(), one, response);
};

// Connections are kept for as long as the clients like.
const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  void receive(request, response);
});
server.on('connection', (socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});

const listen = async (): Promise<void> => {
  server.listen(port, '127.0.0.1', 4096);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
};

const endConnections = (): void => {
  for (const socket of sockets) socket.resetAndDestroy();
};

/** Requests that are open stay until they have an end. */
const take = (): Seen[] => {
  const ended = seen.filter(({ outcome }) => outcome !== 'open');
  seen = seen.filter(({ outcome }) => outcome === 'open');
  return ended;
};

const answerTo = async (request: Request): Promise<Answers[Request['kind']]> => {
  if (request.kind === 'count') {
    const own = seen.filter(({ endpoint }) => endpoint === request.endpoint);
    return { seen: own.length, open: own.filter(({ outcome }) => outcome === 'open').length };
  }
  if (request.kind === 'take') return take();
  if (request.kind === 'behave') ({ behaviour } = request);
  if (request.kind === 'expect') verification.expect(request.endpoint, request.secret);
  if (request.kind === 'up') await listen();
  if (request.kind === 'down') {
    server.close();
    endConnections();
  }
  return null;
};

process.on('message', ({ number, request }: Numbered) => {
  void answerTo(request).then((answer) => process.send?.({ number, answer }));
});
// Its command has ended, or was killed.
process.once('disconnect', () => process.exit());

await listen();
process.send?.({ port });
