/**
 * The control plane as an integrator uses it: one process on a core of its own, everything else on the other one. The figures to
 * keep: a create costs at most a millisecond of CPU, a page of the list takes at most 15 ms at a million codes, and 90 days of
 * analytics of one code among 50 million scans 20 ms in UTC, or 30 ms in another time zone.
 */
import { randomUUID } from 'node:crypto';
import { queryOnce } from '../deploy/embedded/parts/postgres/postgres.ts';
import { type ApiEnvironment, fileCodes, openApiEnvironment, setLimits } from './bench/api-environment.ts';
import { apiKey, workspaceId } from './bench/planes.ts';
import { type Round, runRound, type Sent } from './bench/request-round.ts';
import { seedScans } from './bench/seed-scans.ts';
import { build, kuttContents, quick } from './load-test/flags.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { kuttDatabase, startKuttServer } from './peers/kutt.ts';
import { findingOf, measured } from './report/findings.ts';
import { atLeast, atMost } from './report/judge.ts';
import { formatTable } from './report/table.ts';

interface Options {
  codes: number;
  scans: number;
  kutt: string | undefined;
  build: string | undefined;
}

interface Context extends Run<Options> {
  environment: ApiEnvironment;
  /** A code of the workspace, at random. */
  id(): string;
  /** The code with a hundredth of all scans, which the first call writes. */
  scanned(): Promise<string>;
}

const quickScans = 1_000_000;

const environment = async (run: Run<Options>): Promise<Context> => {
  const { build: folder, codes } = run.options;
  const opened = await openApiEnvironment(run.closer, { build: folder, codes });
  const seed = async () => {
    const codeId = opened.ids[0]!;
    const scans = run.quick ? quickScans : run.options.scans;
    run.say(`writing ${scans.toLocaleString('en-US')} scans`);
    await seedScans(opened.clickhouseUrl, { workspaceId, codeId, scans });
    return codeId;
  };
  let seeding: Promise<string> | undefined;
  return {
    ...run,
    environment: opened,
    scanned() {
      seeding ??= seed();
      return seeding;
    },
    id: () => opened.ids[Math.floor(Math.random() * opened.ids.length)]!,
  };
};

const secondsOf = ({ quick: isQuick }: Context): number => (isQuick ? 3 : 10);

const sayRound = ({ say }: Context, round: Round): Round => {
  const digits = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  say(JSON.stringify(round, digits));
  return round;
};

/** A round of requests to the control plane. */
const requests =
  (name: string, connections: number, request: (context: Context) => Sent) =>
  async (context: Context): Promise<Round> => {
    const { url, pid } = context.environment.controlPlane;
    const headers = { authorization: `Bearer ${apiKey}` };
    const seconds = secondsOf(context);
    const send = () => request(context);
    return sayRound(
      context,
      await runRound({ name, url, pid, headers, connections, seconds, request: send }),
    );
  };

const list = (filter = '') => ({ method: 'GET', path: `/api/qr/codes?limit=25${filter}` }) as const;

const filters = [
  'tags=print',
  'tags=fair',
  'tags=vip',
  'search=table+12',
  'search=door',
  'destinationHost=shop150.example',
];
const moreFilters = [
  'status=inactive',
  'excludeExpired=true',
  'tags=fair&excludeCapped=true',
  'tagsExclude=print',
];
const orders = ['-createdAt', 'createdAt', '-updatedAt', 'name', '-scanCount', '-lastScannedAt'];

const any = (texts: readonly string[]): string => texts[Math.floor(Math.random() * texts.length)]!;

/** Each filter with each order, as often as any other pair. */
const anyList = () => list(`&${any([...filters, ...moreFilters])}&sort=${any(orders)}`);

const json = { 'content-type': 'application/json' };

const create = (headers = {}): Sent => ({
  method: 'POST',
  path: '/api/qr/codes',
  headers: { ...json, ...headers },
  body: JSON.stringify({ data: `https://example.com/${randomUUID()}`, name: 'Table 7' }),
});

const update = ({ id }: Context): Sent => ({
  method: 'PUT',
  path: `/api/qr/codes/${id()}`,
  headers: json,
  body: JSON.stringify({ destination: `https://example.com/${randomUUID()}` }),
});

/** 90 days of the code with a hundredth of the scans. */
const analytics =
  (name: string, timezone: string) =>
  async (context: Context): Promise<Round> => {
    const path = `/api/qr/codes/${await context.scanned()}/analytics?days=90&timezone=${timezone}`;
    return requests(name, 1, () => ({ method: 'GET', path }))(context);
  };

/** 90 days of all scans of the workspace. */
const workspaceAnalytics =
  (name: string, query: string) =>
  async (context: Context): Promise<Round> => {
    await context.scanned();
    const path = `/api/qr/analytics?days=90&${query}`;
    return requests(name, 1, () => ({ method: 'GET', path }))(context);
  };

/** A plan with a quota counts each code in the transaction that makes it. */
const createWithQuota = async (context: Context): Promise<Round> => {
  await setLimits(context.environment.databaseUrl, `limits || '{"dynamicQr": 1000000000}'`);
  return requests('create, counted against a quota', 16, () => create())(context);
};

const kuttKey = 'load-test';

/** Kutt's create, in the same run: a short link is the nearest thing to a code that it makes. */
const createInKutt = async (context: Context): Promise<Round | { missing: string }> => {
  const { environment: surroundings, options } = context;
  if (options.kutt === undefined) return { missing: 'no checkout was given (--kutt PATH)' };
  const kutt = await startKuttServer(surroundings, options.kutt);
  try {
    const url = new URL(surroundings.databaseAdminUrl);
    url.pathname = `/${kuttDatabase}`;
    await queryOnce(
      url.href,
      `INSERT INTO users (email, password, apikey, verified) VALUES ('load@example.com', 'x', '${kuttKey}', true)`,
    );
    const round = await runRound({
      name: 'create in Kutt',
      url: `http://127.0.0.1:${kutt.port}`,
      pid: kutt.pid,
      headers: { 'x-api-key': kuttKey, 'content-type': 'application/json' },
      connections: 16,
      seconds: secondsOf(context),
      request: () => ({
        method: 'POST',
        path: '/api/v2/links',
        body: JSON.stringify({ target: `https://example.com/${randomUUID()}` }),
      }),
    });
    return sayRound(context, round);
  } finally {
    await kutt.stop();
  }
};

const roundsTable = (rounds: readonly Round[]): string =>
  formatTable(
    ['requests', 'connections', 'per second', 'CPU ms a request', 'ms p50', 'p99', 'p99.9', 'max'],
    rounds.map(({ name, connections, perSecond, cpuMs, p50Ms, p99Ms, p999Ms, maxMs }) => [
      name,
      String(connections),
      perSecond.toFixed(0),
      ...[cpuMs, p50Ms, p99Ms, p999Ms, maxMs].map((ms) => ms.toFixed(2)),
    ]),
  );

export const api = defineLoadTest({
  name: 'api',
  about: 'measures the API: list, read, create, update and analytics, with a million codes',
  flags: {
    quick,
    codes: {
      kind: 'count',
      takes: 'NUMBER',
      default: 1_000_000,
      help: 'codes in the workspace that is listed',
    },
    scans: {
      kind: 'count',
      takes: 'NUMBER',
      default: 50_000_000,
      help: 'scans that analytics read among, a hundredth of them of the code that is asked for; writing them takes minutes',
    },
    kutt: {
      kind: 'folder',
      takes: 'PATH',
      contents: kuttContents,
      help: "also measures Kutt's create, from a checkout of version 3 with its packages installed",
    },
    build: build('control-plane/main.ts'),
  },
  only: { noun: 'round', beginnings: ['list', 'read', 'create', 'update', 'analytics'] },
  pinned: true,
  environment,
  rows: {
    'list, one connection': requests('list, one connection', 1, () => list()),
    list: requests('list', 4, () => list()),
    'list, filtered by status': requests('list, filtered by status', 4, () => list('&status=inactive')),
    read: requests('read', 16, ({ id }) => ({ method: 'GET', path: `/api/qr/codes/${id()}` })),
    create: requests('create', 16, () => create()),
    'create with a Waymark-Idempotency-Key': requests('create with a Waymark-Idempotency-Key', 16, () =>
      create({ 'waymark-idempotency-key': randomUUID() }),
    ),
    'update, one connection': requests('update, one connection', 1, update),
    update: requests('update', 16, update),
    // Its answer has the count of scans. ClickHouse has one query at a time, which all waiting updates share.
    'update, 64 connections': requests('update, 64 connections', 64, update),
    'create, counted against a quota': createWithQuota,
    'analytics in UTC': analytics('analytics in UTC', 'UTC'),
    'analytics in another time zone': analytics('analytics in another time zone', 'Asia/Kathmandu'),
    'analytics of a workspace by hour': workspaceAnalytics(
      'analytics of a workspace by hour',
      'interval=hour',
    ),
    'analytics of a workspace in another time zone': workspaceAnalytics(
      'analytics of a workspace in another time zone',
      'interval=day&timezone=Asia/Kathmandu',
    ),
    'list, any filter and order': async (context) => {
      context.say('filing the codes');
      await fileCodes(context.environment);
      return requests('list, any filter and order', 1, anyList)(context);
    },
    'create in Kutt': createInKutt,
  },
  criteria: [
    {
      id: 'createCpu',
      title: 'CPU of a create',
      ...atMost(1, ' ms'),
      row: 'create',
      finding: ({ cpuMs }) => ({ value: cpuMs }),
    },
    {
      id: 'listP99',
      title: 'p99 of a page of the list',
      ...atMost(15, ' ms'),
      row: 'list',
      finding: ({ p99Ms }) => ({ value: p99Ms }),
    },
    {
      id: 'listAnyP99',
      title: 'p99 of a page by any filter and order',
      ...atMost(30, ' ms'),
      row: 'list, any filter and order',
      finding: ({ p99Ms }) => ({ value: p99Ms }),
    },
    {
      id: 'analyticsUtc',
      title: 'analytics of 90 days in UTC, p50',
      ...atMost(20, ' ms'),
      row: 'analytics in UTC',
      finding: ({ p50Ms }) => ({ value: p50Ms }),
    },
    {
      id: 'analyticsZone',
      title: 'analytics of 90 days in another time zone, p50',
      ...atMost(30, ' ms'),
      row: 'analytics in another time zone',
      finding: ({ p50Ms }) => ({ value: p50Ms }),
    },
    {
      id: 'analyticsWorkspaceHours',
      title: 'analytics of a workspace, 90 days by hour, p50',
      ...atMost(100, ' ms'),
      row: 'analytics of a workspace by hour',
      finding: ({ p50Ms }) => ({ value: p50Ms }),
    },
    {
      id: 'analyticsWorkspaceZone',
      title: 'analytics of a workspace, 90 days in another time zone, p50',
      ...atMost(100, ' ms'),
      row: 'analytics of a workspace in another time zone',
      finding: ({ p50Ms }) => ({ value: p50Ms }),
    },
    {
      id: 'kutt',
      title: 'creates against Kutt',
      ...atLeast(3, '×'),
      row: 'create in Kutt',
      finding: (kutt, rows) =>
        'missing' in kutt
          ? { why: kutt.missing }
          : findingOf(rows.create, ({ perSecond }) => ({ value: perSecond / kutt.perSecond })),
    },
  ],
  tables: (rows) => {
    const rounds = Object.values(rows).flatMap((row) => {
      const figures = measured<Round | { missing: string }>(row);
      return figures && 'cpuMs' in figures ? [figures] : [];
    });
    return rounds.length > 0 ? [roundsTable(rounds)] : [];
  },
});
