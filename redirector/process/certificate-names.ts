/**
 * Whether the edge may get a certificate for a name: Caddy's `on_demand_tls` asks before it gets one, and again before it loads one that
 * it has (certmagic#174). So a redirector answers for names that were approved before, also while everything else is away: it holds
 * them, across a restart. Other names are the control plane's, which approves a few a minute.
 */
import cluster, { type Worker } from 'node:cluster';
import { request } from 'undici';
import { z } from 'zod';
import type { Config } from '#shared/config.ts';
import { errorBody } from '#shared/errors.ts';

/** Whether a name is approved, as far as the redirectors of this instance know. */
export type IsCertified = (name: string) => Promise<boolean>;

export interface CertificateAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

const controlPlaneTimeoutMs = 3_000;
/** A worker that hangs holds up nothing. */
const workerTimeoutMs = 1_000;

/** Of a longer text the control plane says that it is no name. */
const nameLengthMax = 300;

const askControlPlane = async (config: Config, name: string): Promise<CertificateAnswer> => {
  const query = new URLSearchParams({ domain: name.slice(0, nameLengthMax) });
  const answer = await request(`${config.controlPlane.internalUrl}/internal/domains/ask?${query}`, {
    headersTimeout: controlPlaneTimeoutMs,
    bodyTimeout: controlPlaneTimeoutMs,
    signal: AbortSignal.timeout(controlPlaneTimeoutMs),
  });
  const retryAfter = answer.headers['retry-after'];
  const headers: CertificateAnswer['headers'] =
    typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {};
  return { status: answer.statusCode, headers, body: await answer.body.json() };
};

/** @param given as in the query: `go.example.com`. A trailing dot is ignored. */
export const answerForCertificate = async (
  config: Config,
  isCertified: IsCertified,
  given: string,
): Promise<CertificateAnswer> => {
  const name = given.toLowerCase().replace(/\.$/, '');
  if (name.length <= nameLengthMax && (await isCertified(name)))
    return { status: 200, headers: {}, body: { domain: name } };
  try {
    return await askControlPlane(config, name);
  } catch (error) {
    const message = `This redirector does not know the domain, and no control plane answers: ${(error as Error).message}`;
    return { status: 503, headers: { 'retry-after': '5' }, body: errorBody('UNAVAILABLE', message) };
  }
};

const question = z.object({ type: z.literal('is certified'), id: z.number(), name: z.string() });
const reply = z.object({ type: z.literal('certified'), id: z.number(), certified: z.boolean() });

/** For a worker: answers its primary. */
export const answerPrimary = (isCertified: IsCertified): void => {
  process.on('message', (message: unknown) => {
    const { success, data } = question.safeParse(message);
    if (!success) return;
    void isCertified(data.name).then((certified) => {
      const answer: z.infer<typeof reply> = { type: 'certified', id: data.id, certified };
      // Fails if the primary is gone, which stops the worker.
      process.send?.(answer, undefined, undefined, () => {});
    });
  });
};

let questions = 0;

const askWorker = (worker: Worker, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const id = ++questions;
    const end = (certified: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      resolve(certified);
    };
    const onMessage = (message: unknown): void => {
      const { success, data } = reply.safeParse(message);
      if (success && data.id === id) end(data.certified);
    };
    const onExit = (): void => end(false);
    const timer = setTimeout(end, workerTimeoutMs, false);
    worker.on('message', onMessage).on('exit', onExit);
    const asked: z.infer<typeof question> = { type: 'is certified', id, name };
    worker.send(asked, (error) => error && end(false));
  });

/** For the primary: each worker holds names of its own. */
export const askWorkers: IsCertified = async (name) => {
  const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  const answers = await Promise.all(workers.map((worker) => askWorker(worker, name)));
  return answers.includes(true);
};
