/** What every row of the report works with: one control plane on a core of its own, and an endpoint that answers at once. */
import { createCloser } from '#shared/lifecycle.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { type ApiEnvironment, apiKey, openEnvironment } from '../api/environment.ts';
import { loadCore, moveToCores } from '../measure/pinning.ts';
import { answering, type Receiver, startReceiver } from '../receivers/receiver.ts';
import type { Client } from './client.ts';
import { type Emitter, openEmitter } from './emitter.ts';
import type { Options } from './options.ts';

export const workspaceId = 'ws_default';
const codes = 20_000;

export interface Context {
  environment: ApiEnvironment;
  client: Client;
  emitter: Emitter;
  healthy: Receiver;
  quick: boolean;
  say(line: string): void;
  close(): Promise<void>;
}

/** Neither quotas nor rates are what is measured. */
const liftLimits = (databaseUrl: string) =>
  queryOnce(
    databaseUrl,
    `UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000, "dynamicQr": null, "apiCalls": null}'`,
  );

/** @param folder of the build that is measured */
export const openContext = async (
  folder: string,
  { quick, profile }: Options,
  say: (line: string) => void,
): Promise<Context> => {
  // Children inherit this process's core; the control plane is moved to the other one.
  moveToCores(process.pid, String(loadCore));
  const closer = createCloser();
  try {
    const environment = await openEnvironment(folder, codes, {
      environment: {
        WEBHOOK_ALLOW_PRIVATE: 'true',
        ...(profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
      },
    });
    closer.add(environment.close);
    await liftLimits(environment.databaseUrl);
    const emitter = await openEmitter(folder, environment.databaseUrl);
    closer.add(emitter.close);
    const healthy = await startReceiver(answering(200));
    closer.add(healthy.stop);
    const client = { url: environment.controlPlane.url, apiKey };
    return { environment, client, emitter, healthy, quick, say, close: () => closer.close() };
  } catch (error) {
    await closer.close();
    throw error;
  }
};
