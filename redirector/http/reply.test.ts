import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Reply } from './reply.ts';

test('a client that begins to read late gets every byte, of the next answer of its connection, too', async () => {
  // More than the buffers of the connection hold.
  const body = randomBytes(40 * 2 ** 20);
  const page = { status: '200 OK', headers: [], body };
  const app = App().any('/*', (res) => new Reply(res, false, false).send(page));
  const port = await new Promise<number>((resolve) => {
    app.listen('127.0.0.1', 0, (listener) => {
      onTestFinished(() => us_listen_socket_close(listener));
      resolve(us_socket_local_port(listener));
    });
  });
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  for (const path of ['/first', '/second']) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: qr.example\r\n\r\n`);
    // The client reads nothing until the answer has begun, and then a little at a time.
    await once(socket, 'readable');
    const chunks: Buffer[] = [];
    let bytes = 0;
    let answerBytes = Number.POSITIVE_INFINITY;
    while (bytes < answerBytes) {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) {
        await once(socket, 'readable');
        continue;
      }
      if (chunks.length === 0) answerBytes = chunk.indexOf('\r\n\r\n') + 4 + body.length;
      chunks.push(chunk);
      bytes += chunk.length;
    }
    expect(Buffer.concat(chunks).subarray(-body.length).equals(body)).toBe(true);
  }
});
