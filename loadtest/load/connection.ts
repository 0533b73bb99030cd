/**
 * A connection of a load generator: one request at a time, keep-alive, and only as much of HTTP as finds the end of an answer.
 * It is our own since each microsecond of a client lowers the rate that it can keep: undici takes about 20 µs a request,
 * this 5.
 */
import net from 'node:net';

export interface Connection {
  readonly localPort: number;
  /** Sends a request; only once the answer to the last one is there. */
  send(request: Buffer | string): void;
  close(): void;
}

export interface ConnectionHandlers {
  /** @param response head and body; lent until the next one */
  onResponse(response: string): void;
  onClosed(): void;
}

const bodyLength = (head: string): number => {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  return match ? Number(match[1]) : 0;
};

/** The length of the first whole response in the text; undefined while it is not all there. */
export const responseLength = (text: string): number | undefined => {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = headEnd + 4 + bodyLength(text.slice(0, headEnd));
  return text.length >= length ? length : undefined;
};

/** @throws {Error} if no process listens */
export const connect = async (port: number, handlers: ConnectionHandlers): Promise<Connection> => {
  let received = '';
  const onData = (bytes: number, buffer: Uint8Array): boolean => {
    received += (buffer as Buffer).toString('latin1', 0, bytes);
    const length = responseLength(received);
    if (length === undefined) return true;
    const response = received;
    received = '';
    handlers.onResponse(response);
    return true;
  };
  const socket = net.connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    // One buffer for the connection's life instead of one for every read.
    onread: { buffer: Buffer.allocUnsafe(16 * 1024), callback: onData },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  // A broken connection also closes, and its user gets that event.
  socket.on('error', () => undefined);
  socket.once('close', () => handlers.onClosed());
  return {
    localPort: socket.localPort!,
    send: (request) => void socket.write(request),
    close: () => socket.destroy(),
  };
};
