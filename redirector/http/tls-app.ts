/**
 * The uWebSockets.js application that speaks TLS. Its library is BoringSSL: TLS 1.2 and 1.3, without HTTP/2. It has one
 * certificate for all names, and cannot serve names that come and go (`removeServerName` with an open connection ends
 * the process).
 */
import {
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { once } from 'node:events';
import tls from 'node:tls';
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import type { Certificate } from '../tls/certificate.ts';
import { withServedFiles } from '../tls/served-files.ts';

/**
 * For TLS 1.2: the ciphers with forward secrecy and authenticated encryption. All TLS 1.3 ciphers have both and cannot
 * be chosen.
 */
const ciphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const handshakeTimeoutMs = 5_000;

const given = ({ files }: Certificate): string =>
  `given: ${JSON.stringify(files.certFile)} and ${JSON.stringify(files.keyFile)}`;

/** @throws {ConfigError} if the library refuses the files, such as a key of a kind it does not know */
export const createTlsApp = (certificate: Certificate): TemplatedApp => {
  try {
    return withServedFiles(certificate, ({ certFile, keyFile }) =>
      SSLApp({ cert_file_name: certFile, key_file_name: keyFile, ssl_ciphers: ciphers }),
    );
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT and TLS_KEY must be a pair that BoringSSL takes, with a key of P-256 or RSA (${messageOf(error)}); ${given(certificate)}`,
    );
  }
};

/** @returns the fingerprint of the certificate served on a port of this machine */
const servedOn = async (port: number): Promise<string> => {
  // Only its identity matters here: it need not be valid for 127.0.0.1, nor today.
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(handshakeTimeoutMs) });
    return socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  } finally {
    socket.destroy();
  }
};

const listenOnLoopback = (app: TemplatedApp): Promise<us_listen_socket> =>
  new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error('cannot listen on any port of 127.0.0.1'));
    });
  });

/**
 * Shakes hands with the application once. The library reads the files itself, after they were checked: they may have
 * been replaced in between, and a key may be of a kind that loads but cannot shake hands.
 * @throws {ConfigError} if it does not serve the certificate
 */
export const verifyServed = async (app: TemplatedApp, certificate: Certificate): Promise<void> => {
  const socket = await listenOnLoopback(app);
  try {
    const served = await servedOn(us_socket_local_port(socket));
    if (served !== certificate.fingerprint) throw new Error('a different certificate is served');
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT and TLS_KEY must be a pair that clients can shake hands with (${messageOf(error).trim()}); ${given(certificate)}`,
    );
  } finally {
    us_listen_socket_close(socket);
  }
};
