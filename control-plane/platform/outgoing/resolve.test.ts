/** Names, resolved by a name server of the test. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createResolve, type Resolve } from './resolve.ts';

let resolve: Resolve;
const headerBytes = 12;
const typeA = 1;

/** The name and type of a question. */
const questionOf = (query: Buffer) => {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
};

/** One address for a name that begins with `answers`, of its first type; none for other names. */
const answerTo = (query: Buffer): Buffer | undefined => {
  const { name, type, end } = questionOf(query);
  if (!name.startsWith('answers')) return undefined;
  const answers = type === typeA ? 1 : 0;
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(answers, 6);
  header.writeUInt16BE(0, 10);
  const record = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 215, 14]);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...(answers ? [record] : [])]);
};

beforeAll(async () => {
  const server = dgram.createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, port, address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  afterFile(() => server.close());
  resolve = createResolve([`127.0.0.1:${server.address().port}`]);
});

const lookUp = (name: string) =>
  new Promise<dns.LookupAddress[] | string>((done) =>
    resolve(name, { all: true }, (error, addresses) => done(error?.code ?? addresses)),
  );

test('a name gets the addresses of its name server', async () => {
  expect(await lookUp('answers.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
});

test('names with silent servers fail in time and delay no other name', async () => {
  const silent = Array.from({ length: 48 }, (_, index) => lookUp(`silent${index}.example`));
  expect(await lookUp('answers.too.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  const system = await dns.promises.lookup('localhost');
  expect(system.address).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
});

test('a name without a dot is local to this machine', async () => {
  expect(await lookUp('localhost')).toContainEqual(expect.objectContaining({ address: expect.any(String) }));
});
