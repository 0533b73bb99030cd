/** The ways in which a scan comes, and the servers that are asked in each. */
import type { GeneratorOptions } from '../load/generator-options.ts';
import type { ServerId } from './server-kinds.ts';

export interface Scenario {
  id: string;
  title: string;
  connectionKind: GeneratorOptions['connectionKind'];
  /** Undefined: as many as the server answers, or the generator asks. */
  ratePerSecond?: number;
  codes: CodeSet;
  servers: readonly ServerId[];
}

/** `all` are 10,000 codes, `hot` 50 of them, `tail` 100,000 codes in turn, each of which is asked for again after 100 s or more. */
export type CodeSet = 'all' | 'hot' | 'tail';

const tls: readonly ServerId[] = ['bareTls', 'waymarkTls', 'nginxEdge', 'haproxyEdge', 'caddyEdge'];

/** A rate as a title and an id say it. */
const atRate = (ratePerSecond: number) => `${ratePerSecond.toLocaleString('en-US')}/s`;

const newTcpAt = (ratePerSecond: number, servers: readonly ServerId[]): Scenario => ({
  id: `tcp-${ratePerSecond}-hot`,
  title: `new TCP connection, each scan from another address, ${atRate(ratePerSecond)}`,
  connectionKind: 'new',
  ratePerSecond,
  codes: 'hot',
  servers,
});

const newTlsAt = (ratePerSecond: number, servers: readonly ServerId[]): Scenario => ({
  id: `tls-${ratePerSecond}`,
  title: `new TLS 1.3 connection (P-256), ${atRate(ratePerSecond)}`,
  connectionKind: 'newTls',
  ratePerSecond,
  codes: 'hot',
  servers,
});

/** The rows of the load test that are made of rounds in turn. */
export type ScenarioRow = 'keep-alive' | 'new-tcp' | 'rates' | 'tls' | 'tls-rates';

/** The kinds of scans of each row. */
export const scenarios: Record<ScenarioRow, readonly Scenario[]> = {
  'keep-alive': [
    {
      id: 'kept-full',
      title: 'keep-alive, each scan from another address, full load',
      connectionKind: 'kept',
      codes: 'all',
      servers: ['bare', 'waymark', 'nginxJob', 'haproxy'],
    },
  ],
  'new-tcp': [
    {
      id: 'tcp-full',
      title: 'new TCP connection, each scan from another address, full load',
      connectionKind: 'new',
      codes: 'all',
      servers: ['bare', 'waymark', 'nginxConstant', 'haproxy'],
    },
  ],
  rates: [
    newTcpAt(100, ['bare', 'waymark']),
    newTcpAt(1000, ['bare', 'waymark', 'nginxConstant']),
    newTcpAt(5000, ['bare', 'waymark']),
    {
      id: 'tcp-1000-tail',
      title: 'new TCP connection, 1,000/s, 100,000 codes in turn',
      connectionKind: 'new',
      ratePerSecond: 1000,
      codes: 'tail',
      servers: ['bare', 'waymark'],
    },
    {
      id: 'kept-1000-hot',
      title: 'keep-alive, each scan from another address, 1,000/s',
      connectionKind: 'kept',
      ratePerSecond: 1000,
      codes: 'hot',
      servers: ['bare', 'waymark'],
    },
    {
      id: 'kept-1000-tail',
      title: 'keep-alive, 1,000/s, 100,000 codes in turn',
      connectionKind: 'kept',
      ratePerSecond: 1000,
      codes: 'tail',
      servers: ['bare', 'waymark'],
    },
  ],
  tls: [
    {
      id: 'tls-full',
      title: 'new TLS 1.3 connection (P-256), as fast as one core asks',
      connectionKind: 'newTls',
      codes: 'all',
      servers: [...tls, 'haproxyReuseSafe', 'haproxyProxyV2'],
    },
  ],
  'tls-rates': [newTlsAt(100, ['bareTls', 'waymarkTls', 'nginxEdge']), newTlsAt(1000, tls)],
};
