/** An installation that is backed up: both planes on a PostgreSQL that pg_dump can dump, and the operator's command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import type { VerificationAnswer } from '#schemas/verification.ts';
import {
  type Call,
  qrHost,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
} from '../../../control-plane/testing/control-plane.ts';
import { phone, startTestRedirector, type TestRedirector } from '../../../redirector/testing/redirector.ts';
import { afterFile } from '../../testing/local.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where the state of an installation is. */
export interface State {
  databaseUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  /** The folder of the storage. */
  folder: string;
}

export interface Planes {
  plane: TestControlPlane;
  redirector: TestRedirector;
  stop(): Promise<void>;
}

export const startPlanes = async ({ folder, ...urls }: State): Promise<Planes> => {
  const environment = { STORAGE_URL: pathToFileURL(folder).href };
  const plane = await startTestControlPlane({ ...urls, environment });
  const redirector = await startTestRedirector({
    REDIS_URL: urls.redisUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
    SECRET_KEY: secretKey,
    CONTROL_PLANE_URL: plane.url,
    CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
    SEGMENT_AGE_MS: '50',
  });
  await redirector.connected();
  const stop = async () => {
    await redirector.redirector.close();
    await plane.close();
  };
  return { plane, redirector, stop };
};

/** Waits for a state, also before the tests. */
export const untilIt = (isSo: () => Promise<void>): Promise<void> =>
  vi.waitFor(isSo, { timeout: 60_000, interval: 50 });

/** Scans a code until there is an answer: a lookup that takes too long is answered with 503. */
export const scan = async ({ redirector }: Planes, id: string): Promise<Response> => {
  let response: Response | undefined;
  await untilIt(async () => {
    response = await redirector.scan(id);
    expect(response.status).not.toBe(503);
  });
  return response!;
};

const batches = '/api/qr/serialized-batches';

export interface Item {
  url: string;
}

/** @returns the items of a new batch */
export const mint = async (call: Call, count: number): Promise<Item[]> => {
  const { batchId } = (await call('POST', batches, { batchName: 'Spring', count })).body as {
    batchId: string;
  };
  const batch = async () => (await call('GET', `${batches}/${batchId}`)).body;
  await untilIt(async () => expect(await batch()).toMatchObject({ status: 'completed' }));
  return ((await batch()) as { items: Item[] }).items;
};

/** The verdict that a person with a phone gets. */
export const verdictOf = async ({ redirector }: Planes, item: Item): Promise<string> => {
  let answer: VerificationAnswer | undefined;
  await untilIt(async () => {
    const headers = { accept: 'application/json', 'user-agent': phone };
    const response = await fetch(item.url.replace(qrHost, redirector.url), { headers });
    answer = (await response.json()) as VerificationAnswer;
    expect(response.status).not.toBe(503);
  });
  return answer!.verdict;
};

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface AdminProcess {
  child: ChildProcess;
  outcome: Promise<Outcome>;
  /** What it has printed. */
  printed(): string;
}

/** The operator's command line, for an installation and a place of its backup. */
export const startAdmin = (
  state: State,
  args: string[],
  environment: Record<string, string>,
): AdminProcess => {
  const child = spawn(process.execPath, ['control-plane/admin.ts', ...args], {
    cwd: root,
    env: {
      DATABASE_URL: state.databaseUrl,
      REDIS_URL: state.redisUrl,
      CLICKHOUSE_URL: state.clickhouseUrl,
      STORAGE_URL: pathToFileURL(state.folder).href,
      SECRET_KEY: secretKey,
      ...environment,
    },
  });
  afterFile(() => child.kill('SIGKILL'));
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => resolve({ ...outcome, code }));
  });
  return { child, outcome: ended, printed: () => outcome.stdout };
};

/** The printed lines of a call that succeeds. */
export const linesOf = ({ code, stdout, stderr }: Outcome): Record<string, unknown>[] => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};
