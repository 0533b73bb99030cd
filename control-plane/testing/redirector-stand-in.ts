/** For tests: stands in for a redirector, to which verifications by apps are passed on. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { refusalTexts } from '#schemas/verification.ts';
import { errorBody } from '#shared/errors.ts';
import { afterFile } from '../../deploy/testing/local.ts';

const refusal = { verdict: 'not_genuine', ...errorBody('NOT_FOUND', refusalTexts.not_genuine) };

/** @returns its URL. It reads any request, and says that no code is genuine. */
export const startRedirectorStandIn = async (): Promise<string> => {
  const server = http.createServer((req, res) => {
    req.resume().once('end', () => {
      res.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
