/** A client of a redirector that speaks TLS. */
import type tls from 'node:tls';
import { Agent, request } from 'undici';
import { phone } from './redirector.ts';

export interface TlsAnswer {
  status: number;
  location: string;
  /** The fingerprint of the served certificate. */
  fingerprint: string;
}

/** Scans a code over a connection of its own, as a phone does. @param cert the certificate to trust, as PEM */
export const scanOverTls = async (
  port: number,
  id: string,
  cert: string,
  options: { servername?: string; method?: 'GET' | 'HEAD' } = {},
): Promise<TlsAnswer> => {
  const { servername = 'localhost', method = 'GET' } = options;
  let fingerprint = '';
  const connect: tls.ConnectionOptions = {
    ca: cert,
    servername,
    checkServerIdentity(_host, peer) {
      fingerprint = peer.fingerprint256;
      return undefined;
    },
  };
  const agent = new Agent({ connect });
  try {
    const { statusCode, headers, body } = await request(`https://127.0.0.1:${port}/r/${id}`, {
      dispatcher: agent,
      method,
      headers: { 'user-agent': phone },
    });
    await body.dump();
    return { status: statusCode, location: String(headers.location), fingerprint };
  } finally {
    await agent.destroy();
  }
};
