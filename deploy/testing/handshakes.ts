/** TLS handshakes for tests: by openssl, and by a returning phone. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import tls from 'node:tls';

/** The output of `openssl s_client` about a handshake, whether or not it succeeds. Nothing is sent. */
export const handshake = (port: number, ...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    const to = ['s_client', '-connect', `127.0.0.1:${port}`, ...args];
    const child = execFile('openssl', to, { timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
    child.stdin?.end();
  });

/** The TLS 1.2 ciphers that a server accepts. */
export const takenCiphers = async (
  port: number,
  ciphers: readonly string[],
  servername = 'qr.example.com',
): Promise<string[]> => {
  const taken: string[] = [];
  for (const cipher of ciphers) {
    const offer = ['-tls1_2', '-cipher', `${cipher}:@SECLEVEL=0`, '-servername', servername];
    const said = await handshake(port, ...offer);
    if (said.includes(`Cipher is ${cipher}`)) taken.push(cipher);
  }
  return taken;
};

type Version = 'TLSv1.2' | 'TLSv1.3';

const optionsFor = (port: number, version: Version): tls.ConnectionOptions => ({
  port,
  host: '127.0.0.1',
  servername: 'qr.example.com',
  rejectUnauthorized: false,
  maxVersion: version,
  minVersion: version,
});

/** Shakes hands as a new phone. @returns its session, for later */
export const newSession = async (port: number, version: Version = 'TLSv1.3'): Promise<Buffer> => {
  const socket = tls.connect(optionsFor(port, version));
  // BoringSSL sends tickets with its first answer.
  socket.write('GET / HTTP/1.1\r\nHost: qr.example.com\r\n\r\n');
  try {
    const [session] = (await once(socket, 'session', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
    return session;
  } finally {
    socket.destroy();
  }
};

/** Shakes hands as a returning phone. @returns whether the server has resumed its session */
export const isResumed = async (
  port: number,
  session: Buffer,
  version: Version = 'TLSv1.3',
): Promise<boolean> => {
  const socket = tls.connect({ ...optionsFor(port, version), session });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(60_000) });
    return socket.isSessionReused();
  } finally {
    socket.destroy();
  }
};
