/** The redirector beside its peers: its rows, and the figures that are promised. */
import { openContext } from '../bench/context.ts';
import { kuttContents, quick } from '../load-test/flags.ts';
import { defineLoadTest, type Run } from '../load-test/load-test.ts';
import { measured, tableOf, withDisturbance } from '../report/findings.ts';
import { atLeast, atMost, noPromise } from '../report/judge.ts';
import {
  against,
  cpuRatio,
  killsNote,
  latencyFinding,
  millionFinding,
  round,
  throughputRatio,
  updateFinding,
} from './findings.ts';
import { drawServers } from './picture.ts';
import { publishRun } from './ranges.ts';
import { measureEvents } from './rows/events.ts';
import { measureKills } from './rows/kills.ts';
import { measureMillion } from './rows/million.ts';
import { measureMisses } from './rows/misses.ts';
import { measureRouting } from './rows/routing.ts';
import { measureServers, type ServersContext } from './rows/servers.ts';
import { measureSync } from './rows/sync.ts';
import { measureUpdates } from './rows/update.ts';
import { serversTable, sustainedLine, syncTable } from './tables.ts';

const environment = async (
  run: Run<{ redirector: string | undefined; kutt: string | undefined }>,
): Promise<ServersContext> => ({ ...(await openContext(run)), kutt: run.options.kutt });

export const redirect = defineLoadTest({
  name: 'redirect',
  about: 'measures the redirector beside its peers, and its promises',
  flags: {
    quick,
    kutt: {
      kind: 'folder',
      takes: 'PATH',
      contents: kuttContents,
      help: 'also measures Kutt, from a checkout of version 3 with its packages installed',
    },
    redirector: { kind: 'file', takes: 'FILE', help: "measures another build's redirector/main.ts" },
    publish: {
      kind: 'text',
      takes: 'NAME',
      help: 'adds the ratios to loadtest/published under this name of the machine',
    },
  },
  only: { noun: 'row' },
  programs: ['wrk', 'nginx', 'haproxy'],
  pinned: true,
  environment,
  rows: {
    servers: measureServers,
    misses: measureMisses,
    routing: measureRouting,
    sync: measureSync,
    update: measureUpdates,
    kills: measureKills,
    events: measureEvents,
    million: measureMillion,
  },
  criteria: [
    {
      id: 'cpuNginx',
      title: 'CPU per redirect, each scan from another address, against nginx doing the same job',
      ...atMost(0.9, '×', 0.75),
      row: 'servers',
      finding: against('nginxJob', cpuRatio),
    },
    {
      id: 'cpuBare',
      title: 'CPU per redirect, each scan from another address, against bare uWS',
      ...atMost(1.6, '×', 1.4),
      row: 'servers',
      finding: against('bare', cpuRatio),
    },
    {
      id: 'cpuNginxUnlimited',
      title: 'the same against nginx without a limit (map + log)',
      ...noPromise('lower', '×'),
      row: 'servers',
      finding: against('nginxUnlimited', cpuRatio),
    },
    {
      id: 'kutt',
      title: 'throughput against Kutt',
      ...atLeast(40, '×', 60),
      row: 'servers',
      finding: against('kutt', throughputRatio),
    },
    {
      id: 'p99Bare',
      title: 'p99 at half load against bare uWS at the same rate',
      ...atMost(1.2, '×'),
      row: 'servers',
      finding: latencyFinding,
    },
    {
      id: 'misses',
      title: 'memory miss, Redis hit: throughput against a memory hit',
      ...atLeast(0.3, '×', 0.5),
      row: 'misses',
      finding: ({ hitsPerSecond, missesPerSecond, missShare, foreignShare }) =>
        withDisturbance(
          {
            value: missesPerSecond / hitsPerSecond,
            note: `${round(missesPerSecond, 0)} / ${round(hitsPerSecond, 0)} per second; ${round(missShare * 100, 1)}% were misses`,
          },
          [foreignShare],
        ),
    },
    {
      id: 'million',
      title: 'one million codes held in memory: RSS',
      ...atMost(350, ' MB'),
      row: 'million',
      finding: millionFinding,
    },
    {
      id: 'routing',
      title: 'a routed + A/B code against a plain one, CPU',
      ...atMost(1.15, '×', 1.05),
      row: 'routing',
      finding: ({ plainCpuUs, routedCpuUs, foreignShare }) =>
        withDisturbance(
          { value: routedCpuUs / plainCpuUs, note: `${round(routedCpuUs, 1)} / ${round(plainCpuUs, 1)} µs` },
          [foreignShare],
        ),
    },
    {
      id: 'update',
      title: 'PUT to the new destination on four processes, calm, p99',
      ...atMost(100, ' ms', 20),
      row: 'update',
      finding: ({ calm }) => updateFinding(calm),
    },
    {
      id: 'updateFull',
      title: 'the same while the cores are busy',
      ...atMost(100, ' ms'),
      row: 'update',
      finding: ({ full }) => updateFinding(full),
    },
    {
      id: 'lost',
      title: 'acknowledged scans lost over kill -9 under full load',
      ...atMost(0, ''),
      row: 'kills',
      finding: (kills) => ({ value: kills.lost, note: killsNote(kills) }),
    },
    {
      id: 'twice',
      title: 'scans counted twice over kill -9 under full load',
      ...atMost(0, ''),
      row: 'kills',
      finding: (kills) => ({ value: kills.countedTwice, note: killsNote(kills) }),
    },
    {
      // While the spool grows, ClickHouse takes as much as it can.
      id: 'events',
      title: 'events into embedded ClickHouse, sustained while redirecting',
      ...atLeast(20_000, '/s', 50_000),
      row: 'events',
      finding: ({ rowsPerSecond, redirectsPerSecond, lagEndS }) => ({
        value: rowsPerSecond,
        note: `of ${round(redirectsPerSecond, 0)} redirects/s; ${round(lagEndS, 1)} s of them waited at the end`,
      }),
    },
  ],
  tables: ({ servers, sync, events }) => [
    ...tableOf(servers, (row) => serversTable(row.servers)),
    ...tableOf(sync, syncTable),
    ...tableOf(events, sustainedLine),
  ],
  picture: ({ date, machine, rows }) => {
    const row = measured(rows.servers);
    return row && drawServers({ date, machine }, row.servers);
  },
  publish: async ({ rows, quick: isQuick, date }, { publish }) =>
    publish === undefined
      ? undefined
      : publishRun(publish, { servers: measured(rows.servers)?.servers ?? [], isQuick, date }),
});
