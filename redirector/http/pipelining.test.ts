/** Pipelined requests on a raw socket: HTTP clients do not send them, attackers do. */
import { once } from 'node:events';
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
  socket.write(bytes);
  await once(socket, 'close');
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
