import { once } from 'node:events';
import http from 'node:http';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { afterFile } from '../../deploy/testing/local.ts';
import { createVersionSource, NoVersionsError, RefusedVersionsError } from './version-source.ts';

const answer = { status: 200, versions: [1] };
const server = http.createServer((request, response) => {
  request.resume();
  response.statusCode = answer.status;
  response.end(JSON.stringify({ timeline: 0, versions: answer.versions }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const agent = new Agent();
afterFile(async () => {
  await agent.close();
  server.close();
});
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const ask = createVersionSource({
  internalUrl: `http://127.0.0.1:${port}`,
  token: 'token',
  timeoutMs: 30_000,
  dispatcher: agent,
});

const errorOf = async (status: number, versions = [1]): Promise<unknown> => {
  Object.assign(answer, { status, versions });
  return ask('abcdefghi', 1).then(
    () => undefined,
    (error) => error,
  );
};

test('a refused question is distinguished from a control plane that cannot answer any', async () => {
  expect(await errorOf(200)).toBeUndefined();
  for (const status of [400, 413, 422]) expect(await errorOf(status)).toBeInstanceOf(RefusedVersionsError);
  expect(await errorOf(404)).toBeInstanceOf(NoVersionsError);
  for (const status of [401, 403, 429, 500, 503])
    expect(await errorOf(status)).not.toBeInstanceOf(RefusedVersionsError);
  expect(await errorOf(503)).toBeInstanceOf(Error);
});

test('an answer to more ids than were asked for is as good as a refusal', async () => {
  expect(await errorOf(200, [1, 2])).toBeInstanceOf(RefusedVersionsError);
});
