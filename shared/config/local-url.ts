/** The address to call a listener of this machine by: 0.0.0.0 and :: listen everywhere and can be called nowhere. */
export const localUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
