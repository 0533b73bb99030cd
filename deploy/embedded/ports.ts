/** Ports of this machine: which are free, and how to keep one. */
import net from 'node:net';

/** Binds exclusively for a moment. Whoever shares a port by SO_REUSEPORT would not notice that it is taken. */
const tryPort = (port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });

/** A port that was free a moment ago, on 127.0.0.1. */
export const freePort = (): Promise<number> => tryPort(0, '127.0.0.1');

/** The reason why a port cannot be listened on, such as EADDRINUSE; undefined when it can. */
export const whyNotFree = async (port: number, host: string): Promise<string | undefined> => {
  try {
    await tryPort(port, host);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};
