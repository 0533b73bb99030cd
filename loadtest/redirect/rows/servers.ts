/** The redirector beside its peers: CPU per redirect, peak, latency at half load, memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../bench/context.ts';
import { interleave } from '../../bench/interleave.ts';
import { type OpenRound, openRound, type Pair, quietestOpenRound } from '../../bench/open-rounds.ts';
import { type ClosedFigures, connections, interleavedRounds, type Target } from '../../bench/rounds.ts';
import { runAutocannon } from '../../load/autocannon.ts';
import { runWrk } from '../../load/wrk.ts';
import { cpuMsOf, residentBytesOf } from '../../measure/processes.ts';
import type { ServerProcess } from '../../measure/server-process.ts';
import { startBare } from '../../peers/bare.ts';
import { startHaproxy } from '../../peers/haproxy.ts';
import { isInstalled, versionOf, whyNotInstalled } from '../../peers/installed.ts';
import { startKutt } from '../../peers/kutt.ts';
import { startNginxConstant, startNginxJob, startNginxUnlimited } from '../../peers/nginx.ts';

export type ServerKind =
  | 'waymark'
  | 'bare'
  | 'nginxJob'
  | 'nginxUnlimited'
  | 'nginxConstant'
  | 'haproxy'
  | 'kutt';

export interface ServerFigures extends ClosedFigures {
  kind: ServerKind;
  label: string;
  residentBytes: number;
  /** At half of its own peak. */
  halfLoad: OpenRound & { ratePerSecond: number };
  /** Microseconds of CPU for each redirect under autocannon; of the same two. */
  autocannonCpuUs?: number;
}

export interface ServersResult {
  servers: ServerFigures[];
  /** The bare answer and the redirector in turn, both at half of the slower one's peak. */
  pairs: Pair[];
  /** The reasons why peers are missing. */
  missing: Partial<Record<ServerKind, string>>;
}

interface Subject extends Target {
  kind: ServerKind;
  label: string;
  stop(): Promise<void>;
}

export interface ServersContext extends Context {
  /** A checkout of Kutt. */
  kutt: string | undefined;
}

interface Peer {
  kind: ServerKind;
  label: string;
  /** Undefined: it can be started. */
  missing?: string | undefined;
  start(): Promise<ServerProcess & Partial<Target>>;
}

const peersOf = (context: ServersContext): Peer[] => {
  const { environment, kutt } = context;
  const nginx = isInstalled('nginx') ? `nginx ${versionOf('nginx')}` : 'nginx';
  const haproxy = isInstalled('haproxy') ? `HAProxy ${versionOf('haproxy')}` : 'HAProxy';
  const nginxMissing = whyNotInstalled('nginx');
  return [
    {
      kind: 'waymark',
      label: 'Waymark',
      start: async () => ({ ...(await context.start()), behindPids: environment.behindPids }),
    },
    { kind: 'bare', label: 'bare uWS, constant 302', start: () => startBare(environment) },
    {
      kind: 'nginxJob',
      label: `${nginx}, map + limit_req + log`,
      missing: nginxMissing,
      start: () => startNginxJob(environment),
    },
    {
      kind: 'nginxUnlimited',
      label: `${nginx}, map + log, no limit`,
      missing: nginxMissing,
      start: () => startNginxUnlimited(environment),
    },
    {
      kind: 'nginxConstant',
      label: `${nginx}, return 302`,
      missing: nginxMissing,
      start: () => startNginxConstant(environment),
    },
    {
      kind: 'haproxy',
      label: `${haproxy}, map file`,
      missing: whyNotInstalled('haproxy'),
      start: () => startHaproxy(environment),
    },
    {
      kind: 'kutt',
      label: 'Kutt',
      missing: kutt === undefined ? 'no checkout was given (--kutt PATH)' : undefined,
      start: () => startKutt(environment, kutt ?? ''),
    },
  ];
};

const startSubjects = async (context: Context, peers: Peer[], subjects: Subject[]): Promise<void> => {
  for (const { kind, label, start } of peers) {
    const server = await start();
    subjects.push({ requestsFile: context.environment.requestsFile, ...server, kind, label });
  }
};

/** Warms just-in-time compilers, caches and connections' buffers, which are not measured. */
const warmUp = async (context: Context, subjects: Subject[]): Promise<void> => {
  for (const subject of subjects) {
    const slow = subject.kind === 'waymark' || subject.kind === 'kutt';
    const seconds = context.quick ? 2 : slow ? 8 : 2;
    await runWrk({ ...subject, connections, seconds });
    await subject.drained?.();
  }
};

/** Rounds in turn. Each includes the shipping of its scans, which would take the generator's core in the next. */
const openRounds = (
  { openLoop }: Context,
  subjects: Subject[],
  rateOf: (subject: Subject) => number,
  rounds = openLoop.rounds,
): Promise<Map<Subject, OpenRound[]>> =>
  interleave(subjects, { rounds }, async (subject) => {
    const round = await openRound(subject, rateOf(subject), openLoop.seconds);
    await sleep(500);
    await subject.drained?.();
    return round;
  });

/** More rounds for the pair that a promise depends on, so that some are undisturbed. */
const pairRounds = async (context: Context, pair: Subject[], ratePerSecond: number): Promise<Pair[]> => {
  const rounds = await openRounds(context, pair, () => ratePerSecond, 2 * context.openLoop.rounds);
  const of = (kind: ServerKind) => rounds.get(pair.find((subject) => subject.kind === kind)!) ?? [];
  const [floors, ours] = [of('bare'), of('waymark')];
  return floors.map((floor, index) => ({ floor, round: ours[index]! }));
};

const autocannonCpuUs = async (context: Context, subject: Subject): Promise<number> => {
  const cpuMs = cpuMsOf(subject.pid);
  const answers = await runAutocannon({ ...subject, connections, seconds: context.closedLoop.seconds });
  await sleep(1000);
  await subject.drained?.();
  return ((cpuMsOf(subject.pid) - cpuMs) * 1000) / answers;
};

const measure = async (context: Context, subjects: Subject[]): Promise<Omit<ServersResult, 'missing'>> => {
  const { say } = context;
  say('warming up');
  await warmUp(context, subjects);
  say('closed loop, in turn');
  const closed = await interleavedRounds(subjects, context.closedLoop);
  const residentBytes = new Map(subjects.map((subject) => [subject, residentBytesOf(subject.pid)]));
  say('open loop at half of each peak');
  const half = await openRounds(context, subjects, (subject) => closed.get(subject)!.perSecond / 2);
  const pair = subjects.filter(({ kind }) => kind === 'waymark' || kind === 'bare');
  say('open loop at the same rate');
  const sameRatePerSecond = Math.min(...pair.map((subject) => closed.get(subject)!.perSecond)) / 2;
  const pairs = await pairRounds(context, pair, sameRatePerSecond);
  say('a second opinion by autocannon');
  const second = new Map<Subject, number>();
  for (const subject of pair) second.set(subject, await autocannonCpuUs(context, subject));
  const servers = subjects.map((subject): ServerFigures => {
    const { kind, label } = subject;
    const round = closed.get(subject)!;
    const halfLoad = { ...quietestOpenRound(half.get(subject)!), ratePerSecond: round.perSecond / 2 };
    const figures = { ...round, kind, label, residentBytes: residentBytes.get(subject)!, halfLoad };
    const autocannon = second.get(subject);
    return autocannon === undefined ? figures : { ...figures, autocannonCpuUs: autocannon };
  });
  return { servers, pairs };
};

export const measureServers = async (context: ServersContext): Promise<ServersResult> => {
  const peers = peersOf(context);
  const missing = Object.fromEntries(
    peers.flatMap((peer) => (peer.missing ? [[peer.kind, peer.missing]] : [])),
  );
  const subjects: Subject[] = [];
  try {
    await startSubjects(
      context,
      peers.filter((peer) => peer.missing === undefined),
      subjects,
    );
    return { ...(await measure(context, subjects)), missing };
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
};
