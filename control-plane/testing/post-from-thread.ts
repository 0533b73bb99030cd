/** For tests that time the event loop of a plane in their own process: a client whose work is on another thread. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** It writes its body in parts, as a client on a network does. */
const client = `
  const { parentPort, workerData } = require('node:worker_threads');
  const http = require('node:http');
  const { url, headers, body } = workerData;
  const sending = http.request(url, { method: 'POST', headers }, async (response) => {
    const parts = [];
    for await (const part of response) parts.push(part);
    parentPort.postMessage(Buffer.concat(parts).toString());
  });
  for (let at = 0; at < body.length; at += 65536) sending.write(body.subarray(at, at + 65536));
  sending.end();
`;

/** @returns the body of the answer, whatever its status @throws if none comes */
export const postFromThread = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<string> => {
  const thread = new Worker(client, {
    eval: true,
    workerData: { url, headers: { ...headers, 'content-length': body.length }, body },
  });
  try {
    const [answer] = (await once(thread, 'message')) as [string];
    return answer;
  } finally {
    await thread.terminate();
  }
};
