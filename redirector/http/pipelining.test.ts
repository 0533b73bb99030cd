/** Pipelined requests on a raw socket: HTTP clients do not send them, attackers do. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { themeFonts } from '#shared/pages/themes/named-themes.ts';
import { eventually } from '../testing/eventually.ts';
import { createRecord, phone, startTestRedirector } from '../testing/redirector.ts';

const requestOf = (id: string): string =>
  `GET /r/${id} HTTP/1.1\r\nHost: qr.example\r\nUser-Agent: ${phone}\r\n\r\n`;

/** Sends bytes at once. @returns the answers until the connection closed */
const answersTo = async (port: number, bytes: string): Promise<string> => {
  const socket = net.connect(port, '127.0.0.1');
  let answers = '';
  socket.on('data', (chunk) => {
    answers += chunk.toString();
  });
  // Requests that are not read reset the connection.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return answers;
};

test('pipelined scans are each answered, in order, and recorded once', async () => {
  const waymark = await startTestRedirector({ QR_HOST: 'http://qr.example' });
  const records = [createRecord(), createRecord(), createRecord()];
  for (const record of records) {
    await waymark.publish(record);
    expect((await waymark.scan(record.id, { method: 'HEAD' })).status).toBe(302);
  }
  const last = 'GET /r/bad HTTP/1.1\r\nHost: qr.example\r\nConnection: close\r\n\r\n';
  const { port } = waymark.config.redirector;
  const answers = await answersTo(port, records.map(({ id }) => requestOf(id)).join('') + last);
  expect(answers.match(/Location: \S+/g)).toEqual(
    records.map(({ destination }) => `Location: ${destination}`),
  );
  const scans = `SELECT code_id AS id, toUInt32(count()) AS scans FROM scans WHERE kind = 'scan' GROUP BY id`;
  await eventually(async () =>
    expect(
      new Map(
        (await waymark.query<{ id: string; scans: number }>(scans)).map(({ id, scans }) => [id, scans]),
      ),
    ).toEqual(new Map(records.map(({ id }) => [id, 1]))),
  );
});

test.each([
  ['of unknown codes', '/r/bad'],
  ['of GS1’s description', '/.well-known/gs1resolver'],
  ['of forged items', '/v/aaaaaaaaaaaa/bbbbbbbbbbbb/cccccccccccc'],
])(
  'of thousands of pipelined requests %s few are answered, and the connection is closed',
  async (_, path) => {
    const waymark = await startTestRedirector({ QR_HOST: 'http://qr.example' });
    const { port } = waymark.config.redirector;
    const request = `GET ${path} HTTP/1.1\r\nHost: qr.example\r\nUser-Agent: ${phone}\r\n\r\n`;
    const answers = await answersTo(port, request.repeat(8_000));
    expect(answers.split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(64);
  },
);

test('a hundred connections with a request each in one iteration are all answered', async () => {
  const waymark = await startTestRedirector({ QR_HOST: 'http://qr.example' });
  const { port } = waymark.config.redirector;
  const request = 'GET /r/bad HTTP/1.1\r\nHost: qr.example\r\nConnection: close\r\n\r\n';
  const answers = await Promise.all(Array.from({ length: 200 }, () => answersTo(port, request)));
  // One address looks up 120 aliases in a minute.
  expect(answers.filter((answer) => /^HTTP\/1.1 4(04|29)/.test(answer))).toHaveLength(200);
});

test('a connection that asks for fonts one after the other, and reads none, is closed', async () => {
  const waymark = await startTestRedirector({ QR_HOST: 'http://qr.example' });
  const { path, bytes } = themeFonts.at('/fonts/inter-latin-800.00000000.woff2')!;
  const socket = net.connect(waymark.config.redirector.port, '127.0.0.1').pause();
  let isOpen = true;
  socket.on('error', () => {
    isOpen = false;
  });
  // More than the buffers of any system hold, one request in each read: closed for that, and not for the number in a read.
  const requests = Math.ceil((64 * 2 ** 20) / bytes.length);
  let sent = 0;
  for (; isOpen && sent < requests; sent++) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: qr.example\r\n\r\n`);
    await sleep(1);
  }
  socket.destroy();
  expect(sent).toBeLessThan(requests);
});
