/** For tests of servers: requests as bytes, such as no well-behaved client sends. */
import net from 'node:net';

/** A connection's answers to bytes, until the server closes it. */
export const answersTo = async (bytes: string, port: number): Promise<string> => {
  const socket = net.connect(port, '127.0.0.1');
  let answers = '';
  socket.on('error', () => socket.destroy()); // closed with bytes unread
  socket.on('data', (chunk) => {
    answers += chunk.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  let isLate = false;
  socket.setTimeout(30_000, () => {
    isLate = true;
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  if (isLate) throw new Error('neither answered nor closed');
  return answers;
};

/** The status of each answer on a connection. */
export const statusesOf = (answers: string): string[] => answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

/** Lines that make the end of a request ambiguous. N: the length of the bytes after it. */
export const ambiguousFramings = [
  ['Content-Length: 0', 'Content-Length: N'],
  ['Content-Length: N', 'Content-Length: 0'],
  ['Content-Length: 0', 'Content-Length: 0'],
  ['Content-Length:'],
  ['Content-Length:', 'Content-Length: N'],
  ['Content-Length: +0'],
  ['Content-Length: 0, 0'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding:', 'Content-Length: N'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 0'],
] as const;

/** Invalid values of the header Host. */
export const impossibleHosts = [
  ...['name:80:80', 'name#', 'name/', 'a b', 'user@name', 'a,b', 'name:8o', 'b\xfccher.example', '[::1'],
  ...['a..b', ':80', 'x'.repeat(261)],
];

/** Non-HTTP requests to a node:http server, with a line after the method and lines after it. */
export const malformedRequests: [what: string, start: string, lines: string[]][] = [
  ['a target that is no path', 'GET *', ['Host: x']],
  ['a target that is not ASCII', 'GET /\xe9', ['Host: x']],
  ['a URL with a host that none can have', 'GET http://name:80:80/p/page_1', ['Host: x']],
  ['two hosts', 'GET /p/page_1', ['Host: x', 'Host: y']],
  ['the same host twice', 'GET /p/page_1', ['Host: x', 'Host: x']],
  ['a bare CR in a header', 'GET /p/page_1', ['Host: x', 'A: b\rc']],
  ['a header without a name', 'GET /p/page_1', ['Host: x', ': v']],
  ['an empty length', 'GET /p/page_1', ['Host: x', 'Content-Length:']],
  ['a method that is no token', 'G"T /p/page_1', ['Host: x']],
  ['a method that HTTP does not have', 'FOO /p/page_1', ['Host: x']],
];
