/** The endpoints of a fault test: each a receiver of its own with its own faults, and a webhook that follows the creation of codes. */
import type { Closer } from '#shared/lifecycle.ts';
import type { Client } from '../bench/workspace.ts';
import type { Behaviour, Seen } from '../receivers/messages.ts';
import { answering, hanging, type Receiver, startReceiver } from '../receivers/receiver.ts';
import { subscribe } from '../receivers/webhook.ts';

const mixed: Behaviour = [
  { weight: 60, reaction: { kind: 'answer', status: 200 } },
  { weight: 15, reaction: { kind: 'answer', status: 500 } },
  { weight: 10, reaction: { kind: 'reset' } },
  { weight: 8, reaction: { kind: 'answer', status: 204, afterMs: 1_000 } },
  { weight: 4, reaction: { kind: 'answer', status: 302 } },
  { weight: 2, reaction: { kind: 'answer', status: 200, afterMs: 10_000 } },
  { weight: 1, reaction: { kind: 'hang' } },
];

const behaviours = { healthy: answering(200), mixed, hanging, failing: answering(500), away: answering(200) };

export interface Endpoints {
  /** The paths of the endpoints. */
  readonly names: readonly string[];
  /** Every endpoint answers at once from now on. */
  recover(): Promise<void>;
  /** Requests that have ended. */
  seen(): Promise<readonly Seen[]>;
}

/** `away` refuses connections until they recover. */
export const openEndpoints = async (client: Client, closer: Closer): Promise<Endpoints> => {
  const receivers: Receiver[] = [];
  const names: string[] = [];
  for (const [name, behaviour] of Object.entries(behaviours)) {
    const receiver = await startReceiver(behaviour);
    closer.add(receiver.stop);
    names.push((await subscribe(client, receiver, ['qr.created'])).endpoint);
    if (name === 'away') await receiver.ask<'down'>({ kind: 'down' });
    receivers.push(receiver);
  }
  const away = receivers.at(-1)!;
  const seen: Seen[] = [];
  return {
    names,
    async recover() {
      await away.ask<'up'>({ kind: 'up' });
      for (const receiver of receivers)
        await receiver.ask<'behave'>({ kind: 'behave', behaviour: answering(200) });
    },
    async seen() {
      for (const receiver of receivers) seen.push(...(await receiver.ask<'take'>({ kind: 'take' })));
      return seen;
    },
  };
};
