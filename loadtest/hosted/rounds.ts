/** Rounds of one kind of view, in turn: each server is measured between the same disturbances of the machine. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAutocannon } from '../load/autocannon.ts';
import { writeRequests } from '../load/traffic.ts';
import { cpuMsBetween, lookAtCpu } from '../measure/cpu-time.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { median, rangeOf } from '../measure/statistics.ts';
import { type BareAnswer, barePath, headersOf, type Page, type Way } from './answers.ts';

export interface Servers {
  controlPlane: ServerProcess;
  bare: ServerProcess;
  redirector: ServerProcess;
}

export interface Measured {
  page: Page;
  way: Way;
  answer: BareAnswer;
  etag: string;
}

/** Microseconds of CPU for one view, medians of the rounds. */
export interface Row {
  page: string;
  way: Way;
  /** Of the answer's body. */
  bytes: number;
  controlPlaneUs: number;
  bareUs: number;
  /** Control plane to bare Koa, round by round. */
  ratio: { median: number; low: number; high: number };
  /** Control plane and redirector together. */
  throughUs: number;
  redirectorUs: number;
}

const connections = 32;
/** One address may look 120 times a minute. */
const addresses = 20_000;

const requestTexts = (at: string, { way, etag }: Measured): string[] => {
  const headers = Object.entries(headersOf(way, etag)).map(([name, value]) => `${name}: ${value}\r\n`);
  return Array.from(
    { length: addresses },
    (_, n) => `GET ${at} HTTP/1.1\r\n${headers.join('')}x-forwarded-for: 10.1.${n >> 8}.${n & 255}\r\n\r\n`,
  );
};

interface RoundOptions {
  requestsFile: string;
  seconds: number;
}

/** @returns CPU of each process for one answer, in microseconds */
const runRound = async (
  port: number,
  processes: readonly ServerProcess[],
  { requestsFile, seconds }: RoundOptions,
): Promise<number[]> => {
  const looks = () => processes.map(({ pid }) => lookAtCpu([pid]));
  const before = looks();
  const { done } = await startAutocannon({ port, requestsFile, connections, seconds });
  const answers = await done;
  // What a view leaves behind is part of it: the count is added half a second later.
  await sleep(700);
  const after = looks();
  return processes.map((_, n) => (cpuMsBetween(before[n]!, after[n]!) * 1_000) / answers);
};

/** @param options.home for the requests */
export const measureRow = async (
  { controlPlane, bare, redirector }: Servers,
  measured: Measured,
  { quick, home }: { quick: boolean; home: string },
): Promise<Row> => {
  const { page, way, answer } = measured;
  const file = path.join(home, `requests-${way}${page.path.replaceAll('/', '-')}`);
  const bareFile = `${file}-bare`;
  await writeRequests(file, requestTexts(page.path, measured));
  await writeRequests(bareFile, requestTexts(barePath(page, way), measured));
  const [rounds, seconds] = quick ? [1, 2] : [3, 3];
  const [own, floor, through, redirectors]: number[][] = [[], [], [], []];
  for (let round = -1; round < rounds; round++) {
    const [controlPlaneUs] = await runRound(controlPlane.port, [controlPlane], {
      requestsFile: file,
      seconds,
    });
    const [bareUs] = await runRound(bare.port, [bare], { requestsFile: bareFile, seconds });
    const both = [controlPlane, redirector];
    const [behindUs, redirectorUs] = await runRound(redirector.port, both, { requestsFile: file, seconds });
    // The first one warms up.
    if (round === -1) continue;
    own!.push(controlPlaneUs!);
    floor!.push(bareUs!);
    through!.push(behindUs! + redirectorUs!);
    redirectors!.push(redirectorUs!);
  }
  const ratios = own!.map((us, n) => us / floor![n]!);
  return {
    page: page.title,
    way,
    bytes: Buffer.from(answer.body, 'base64').length,
    controlPlaneUs: median(own!),
    bareUs: median(floor!),
    ratio: { median: median(ratios), ...rangeOf(ratios) },
    throughUs: median(through!),
    redirectorUs: median(redirectors!),
  };
};
