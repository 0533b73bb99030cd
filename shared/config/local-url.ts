/** The URL of a listener on this machine. 0.0.0.0 and :: are addresses to listen on, not to connect to. */
export const localUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
