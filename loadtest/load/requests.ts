/** The requests of a generator, made from a file: whole requests, or ids of codes, which take a twentieth of the memory. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Trace } from './trace.ts';
import { bots, readRequests, requestOf } from './traffic.ts';

export type RequestSource =
  | { kind: 'requests'; file: string }
  /** The ids in turn, from the given one on, each from another address. */
  | { kind: 'ids'; file: string; first: number };

export const writeIds = (file: string, ids: readonly string[]): Promise<void> =>
  writeFile(file, ids.join('\n'));

export const readIds = async (file: string): Promise<string[]> =>
  (await readFile(file, 'latin1')).split('\n');

/** The bytes of a request by its number, which may be higher than the number of requests: then they begin again. */
export const openRequests = async (source: RequestSource): Promise<(request: number) => Buffer> => {
  if (source.kind === 'requests') {
    const requests = (await readRequests(source.file)).map((request) => Buffer.from(request, 'latin1'));
    return (request) => requests[request % requests.length]!;
  }
  const { file, first } = source;
  const ids = await readIds(file);
  return (request) =>
    Buffer.from(requestOf(`/r/${ids[(first + request) % ids.length]}`, first + request), 'latin1');
};

/** The bytes of the scans of a trace. */
export const traceRequests = async (trace: Trace, idsFile: string): Promise<(request: number) => Buffer> => {
  const ids = await readIds(idsFile);
  return (request) => {
    const visitor = trace.visitors[request]!;
    const bot = trace.isBot[request] === 1 ? bots[visitor % bots.length] : undefined;
    return Buffer.from(requestOf(`/r/${ids[trace.codes[request]!]}`, visitor, bot), 'latin1');
  };
};
