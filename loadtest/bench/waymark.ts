/** Waymark's redirector as a server under test: the real process, with everything on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { type Plane, type PlaneOptions, startRedirector } from './planes.ts';

export interface Waymark extends Plane {
  /** Health and metrics. */
  internalPort: number;
  /** The sum of a metric over its labels, such as `record_hits_total`. */
  metric(name: string): Promise<number>;
  /** Resolves once ClickHouse has every scan. @throws {Error} if that takes longer than a minute */
  drained(): Promise<void>;
}

const drainMsMax = 60_000;

const untilDrained = async (metric: Waymark['metric']): Promise<void> => {
  const endMs = performance.now() + drainMsMax;
  while ((await metric('spool_bytes')) > 0) {
    if (performance.now() > endMs) throw new Error(`the spool is not empty after ${drainMsMax / 1000} s`);
    await sleep(50);
  }
};

/** Adds up the lines of a metric in Prometheus' text format; 0 if there is no such line. */
export const sumOfMetric = (text: string, name: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

export type WaymarkOptions = Pick<PlaneOptions, 'name' | 'environment' | 'port' | 'pinned' | 'program'>;

/** It has the server's core alone, unless the options say otherwise. */
export const startWaymark = async (
  environment: Environment,
  { name = 'waymark', environment: changes, ...options }: WaymarkOptions = {},
): Promise<Waymark> => {
  const redirector = await startRedirector({
    pinned: true,
    ...options,
    name,
    home: environment.home,
    databases: environment,
    // There is no API: no row's scans need it.
    controlPlane: { url: 'http://127.0.0.1:9', internalUrl: environment.truthUrl },
    // As the requests of the load say (load/traffic.ts).
    environment: { QR_HOST: 'http://qr.example', ...changes },
  });
  const metric = async (each: string): Promise<number> => {
    const response = await fetch(`${redirector.internalUrl}/metrics`);
    return sumOfMetric(await response.text(), `waymark_redirector_${each}`);
  };
  const internalPort = Number(new URL(redirector.internalUrl).port);
  return { ...redirector, internalPort, metric, drained: () => untilDrained(metric) };
};
