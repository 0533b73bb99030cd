/** For tests: a name server on loopback with the answers set by the test. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import packet from 'dns-packet';
import { afterFile } from '../../../../deploy/testing/local.ts';

/** The low four bits of the flags of an answer (RFC 1035). */
const failures = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** Texts of TXT records, or the way the server fails. */
type Zone = readonly string[] | keyof typeof failures | 'silent';

export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string;
  /** Sets the answer for a name. A name that was never set does not exist. */
  set(name: string, zone: Zone): void;
  /** How often a name was queried. */
  askedFor(name: string): number;
}

/** May be longer than a UDP datagram carries: a record consists of strings of at most 255 bytes. */
const stringsOf = (text: string): Buffer[] =>
  (text.match(/.{1,200}/gs) ?? ['']).map((part) => Buffer.from(part));

const answerTo = (query: packet.Packet, name: string, zone: Exclude<Zone, 'silent'> = 'NXDOMAIN'): Buffer => {
  const head = { type: 'response', id: query.id ?? 0, questions: query.questions ?? [] } as const;
  if (typeof zone === 'string')
    return packet.encode({ ...head, flags: packet.RECURSION_AVAILABLE | failures[zone] });
  return packet.encode({
    ...head,
    flags: packet.RECURSION_AVAILABLE,
    answers: zone.map((text) => ({ type: 'TXT', name, ttl: 0, data: stringsOf(text) })),
  });
};

/** Listens until the end of the test file. */
export const startDnsServer = async (): Promise<DnsServer> => {
  const zones = new Map<string, Zone>();
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    const query = packet.decode(message);
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const zone = zones.get(name);
    if (zone !== 'silent') socket.send(answerTo(query, name, zone), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  afterFile(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, zone) => void zones.set(name.toLowerCase(), zone),
    askedFor: (name) => asked.get(name.toLowerCase()) ?? 0,
  };
};
