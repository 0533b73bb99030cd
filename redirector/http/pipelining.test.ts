/** Pipelined requests on a raw socket: HTTP clients do not send them, attackers do. */
import net from 'node:net';
import { expect, test } from 'vitest';
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

test('pipelined scans whose connection closes unanswered are not recorded', async () => {
  const waymark = await startTestRedirector({ QR_HOST: 'http://qr.example' });
  const [pipelined, plain] = [createRecord(), createRecord()];
  for (const record of [pipelined, plain]) {
    await waymark.publish(record);
    expect((await waymark.scan(record.id, { method: 'HEAD' })).status).toBe(302);
  }
  const { port } = waymark.config.redirector;
  for (let i = 0; i < 5; i++) {
    const answers = await answersTo(port, requestOf(pipelined.id).repeat(3));
    expect(answers).toBe('');
  }
  for (let i = 0; i < 3; i++) expect((await waymark.scan(plain.id)).status).toBe(302);
  expect(await waymark.redirector.metrics.metrics()).toMatch(/scans_withdrawn_total 5$/m);
  const scansOf = async (id: string): Promise<number> => {
    const query = `SELECT toUInt32(countIf(kind = 'scan')) AS scans FROM scans WHERE code_id = {id:String}`;
    const [row] = await waymark.query<{ scans: number }>(query, { id });
    return row!.scans;
  };
  await eventually(async () => expect(await scansOf(plain.id)).toBe(3));
  expect(await scansOf(pipelined.id)).toBe(0);
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
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 404'))).toHaveLength(200);
});
