/**
 * Counts the scans of codes that do not exist at the domains of workspaces, so that a misprint shows, and reports them to the
 * control plane once a minute. Scanned ids can be made up: a domain has a bounded number of paths in a report, and further ones
 * are not counted. What a process has counted since its last report is lost if it is killed.
 */

import { setImmediate } from 'node:timers/promises';
import { type ReportedUnknownCode, unknownPathLengthMax } from '#schemas/reported-unknown-code.ts';
import type { Logger } from '#shared/logger.ts';
import type { Sink } from '../recording/shipper.ts';

export interface UnknownCodesOptions {
  /** Unique among all processes, ever: it names the reports. */
  name: string;
  everyMs: number;
  /** For the last report. */
  closeMsMax: number;
  /** Paths of a domain in a report. */
  pathsMax: number;
  /** Paths of all domains together. */
  allPathsMax: number;
}

interface Scan {
  workspaceId: string;
  domain: string;
  /** May have a query. */
  path: string;
  atMs: number;
}

export interface UnknownCodes {
  note(scan: Scan): void;
  /** Reports what has been counted. A report that fails is sent again by the next call. Never rejects. */
  report(): Promise<void>;
  /** Reports one last time. */
  close(): Promise<void>;
  readonly statistics: Readonly<{ counted: number; uncounted: number; reportsFailed: number }>;
}

const dayMs = 86_400_000;

const dayOf = (ms: number): string => new Date(Math.floor(ms / dayMs) * dayMs).toISOString().slice(0, 10);

const pathOf = (target: string): string => {
  const end = target.indexOf('?');
  return (end < 0 ? target : target.slice(0, end)).slice(0, unknownPathLengthMax);
};

type Counts = Map<string, Map<string, ReportedUnknownCode>>;

/** Of one step of the event loop: about a millisecond. */
const linesOfStep = 500;

const linesOf = async (counts: Counts): Promise<string[]> => {
  const lines: string[] = [];
  for (const paths of counts.values())
    for (const each of paths.values()) {
      lines.push(`${JSON.stringify(each)}\n`);
      if (lines.length % linesOfStep === 0) await setImmediate();
    }
  return lines;
};

/** A text of its own: a part of a URL would keep the whole of it in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** A report on its way: it keeps its name until it is taken. */
interface Report {
  name: string;
  lines: string[];
}

export const createUnknownCodes = (
  { name, everyMs, closeMsMax, pathsMax, allPathsMax }: UnknownCodesOptions,
  sink: Pick<Sink, 'send'>,
  logger: Logger,
): UnknownCodes => {
  const statistics = { counted: 0, uncounted: 0, reportsFailed: 0 };
  let counts: Counts = new Map();
  let size = 0;
  let reports = 0;
  let underWay: Report | undefined;
  let reporting: Promise<void> | undefined;
  const closing = new AbortController();

  const send = async (): Promise<void> => {
    if (underWay === undefined && size > 0) {
      const counted = counts;
      counts = new Map();
      size = 0;
      underWay = { name: `unknown-codes-${name}-${++reports}`, lines: await linesOf(counted) };
    }
    if (underWay === undefined) return;
    const { name: segment, lines } = underWay;
    const read = async () => Buffer.from(lines.join(''));
    try {
      await sink.send({ name: segment, rows: lines.length, read }, closing.signal);
      underWay = undefined;
    } catch (error) {
      statistics.reportsFailed++;
      logger.debug({ err: error }, 'could not report scans of unknown codes: trying again');
    }
  };

  const report = (): Promise<void> => {
    reporting ??= send().finally(() => {
      reporting = undefined;
    });
    return reporting;
  };

  const timer = setInterval(() => void report(), everyMs).unref();

  return {
    statistics,
    note({ workspaceId, domain, path: target, atMs }) {
      const day = dayOf(atMs);
      const path = pathOf(target);
      const key = `${domain} ${day}`;
      const paths = counts.get(key) ?? new Map<string, ReportedUnknownCode>();
      const known = paths.get(path);
      if (!known && (paths.size >= pathsMax || size >= allPathsMax)) return void statistics.uncounted++;
      statistics.counted++;
      if (known) {
        known.scans++;
        known.lastAtMs = atMs;
        return;
      }
      if (paths.size === 0) counts.set(key, paths);
      const copy = copyOf(path);
      paths.set(copy, { workspaceId, domain, day, path: copy, scans: 1, lastAtMs: atMs });
      size++;
    },
    report,
    async close() {
      clearInterval(timer);
      const deadline = setTimeout(() => closing.abort(), closeMsMax);
      await reporting;
      await report();
      clearTimeout(deadline);
    },
  };
};
