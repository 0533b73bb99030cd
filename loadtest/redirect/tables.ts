/** The tables of single rows. */
import { floorP99QuietMs, generatorWasLate, type OpenRound } from '../bench/open-rounds.ts';
import type { Range } from '../measure/statistics.ts';
import { formatTable } from '../report/table.ts';
import type { EventsResult } from './rows/events.ts';
import type { ServerFigures } from './rows/servers.ts';
import type { SyncFigures, SyncResult } from './rows/sync.ts';

const ms = (value: number): string => value.toFixed(2);

const latencyCell = (round: OpenRound, floorIsQuiet: boolean): string => {
  if (generatorWasLate(round)) return `generator ${ms(round.generatorP99Ms)} ms late`;
  if (!floorIsQuiet) return `${ms(round.p50Ms)} / not quiet`;
  return `${ms(round.p50Ms)} / ${ms(round.p99Ms)} / ${ms(round.p999Ms)}`;
};

const rangeCell = (value: number, { low, high }: Range, digits: number): string =>
  `${value.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

const serverRow = (server: ServerFigures, floorIsQuiet: boolean): string[] => [
  server.label,
  rangeCell(server.cpuUs, server.cpuUsRange, 1),
  server.behindCpuUs === 0 ? '' : server.behindCpuUs.toFixed(1),
  rangeCell(
    server.perSecond / 1000,
    { low: server.perSecondRange.low / 1000, high: server.perSecondRange.high / 1000 },
    1,
  ),
  latencyCell(server.halfLoad, floorIsQuiet),
  String(Math.round(server.residentBytes / 2 ** 20)),
  `${(server.foreignShare * 100).toFixed(0)}%`,
];

/** Percentiles are given only if those of the floor, the bare answer, show that the machine did not pause. */
export const serversTable = (servers: readonly ServerFigures[]): string => {
  const floor = servers.find(({ kind }) => kind === 'bare')?.halfLoad;
  const floorIsQuiet = floor !== undefined && floor.p99Ms <= floorP99QuietMs;
  return formatTable(
    [
      'server',
      'CPU µs/redirect',
      'behind it',
      'thousand/s on one core',
      'ms at half its peak: p50 / p99 / p99.9',
      'RSS MB',
      'core used by others',
    ],
    servers.map((server) => serverRow(server, floorIsQuiet)),
  );
};

const rounded = (value: number): string => Math.round(value).toLocaleString('en-US');

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} minutes`;

/** The rate that the machine keeps up for good, beside its peak; what a scan costs; how long the spool lasts. */
export const sustainedLine = (events: EventsResult): string => {
  const { redirectsPerSecond, rowsPerSecond, redirectorCpuUs, clickhouseCpuUs } = events;
  const atPeak = Number.isFinite(events.spoolFullAfterS)
    ? `is full after ${minutes(events.spoolFullAfterS)} at the peak, and`
    : 'does not fill at the peak, and is full';
  return [
    `With ClickHouse on the same two cores: ${rounded(redirectsPerSecond)} redirects/s at the peak, ${rounded(Math.min(rowsPerSecond, redirectsPerSecond))}/s for good, in INSERTs of ${rounded(events.rowsPerInsert)} rows.`,
    `A scan takes ${redirectorCpuUs.toFixed(1)} µs of CPU in the redirector and ${clickhouseCpuUs.toFixed(1)} in ClickHouse: a core that does both keeps up ${rounded(1e6 / (redirectorCpuUs + clickhouseCpuUs))}/s.`,
    `It takes ${rounded(events.bytesPerScan)} bytes in the spool: one of 1 GiB ${atPeak} after ${minutes(events.spoolFullAloneS)} while ClickHouse is away.`,
  ].join('\n');
};

const syncRow = (
  { mode, cpuUs, perSecond, sameRate, foreignShare }: SyncFigures,
  floorIsQuiet: boolean,
): string[] => [
  mode,
  cpuUs.toFixed(1),
  Math.round(perSecond).toLocaleString('en-US'),
  latencyCell(sameRate, floorIsQuiet),
  `${(foreignShare * 100).toFixed(0)}%`,
];

/** The cost of each SPOOL_SYNC, against the one that never waits for the disk. */
export const syncTable = ({ ratePerSecond, modes }: SyncResult): string => {
  const floor = modes.find(({ mode }) => mode === 'none');
  const floorIsQuiet = floor !== undefined && floor.sameRate.p99Ms <= floorP99QuietMs;
  return formatTable(
    [
      'SPOOL_SYNC',
      'CPU µs/redirect',
      'redirects/s on one core',
      `ms at ${Math.round(ratePerSecond).toLocaleString('en-US')}/s: p50 / p99 / p99.9`,
      'core used by others',
    ],
    modes.map((figures) => syncRow(figures, floorIsQuiet)),
  );
};
