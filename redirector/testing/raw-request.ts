/** Requests as bytes, such as no well-behaved client sends. */
import net from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names in lower case; several lines of the same name are joined by commas. */
  headers: Record<string, string>;
  body: string;
}

const parse = (text: string): RawAnswer => {
  const headEnd = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(headEnd + 4) };
};

const isWhole = (text: string): boolean => {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1];
  return length !== undefined && text.length >= headEnd + 4 + Number(length);
};

/**
 * Sends the lines of a request, then the body; resolves with the answer, once it is complete or the connection ends.
 * @param to.from an address of this machine to call from
 */
export const rawRequest = (
  to: { port: number; host?: string; from?: string },
  lines: readonly string[],
  body = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { port, host = '127.0.0.1', from } = to;
    const socket = net.connect({ port, host, ...(from && { localAddress: from }) });
    let text = '';
    socket.setTimeout(30_000, () => socket.destroy(new Error(`no answer in time, but: ${text}`)));
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('close', () => resolve(parse(text)));
    socket.on('data', (chunk) => {
      text += chunk;
      if (isWhole(text)) socket.destroy();
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  });
