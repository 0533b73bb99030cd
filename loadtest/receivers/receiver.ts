/** A receiver of webhooks in a process of its own, so that one that is slow takes no time from another. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import type { Answered, Answers, Behaviour, Numbered, Request } from './messages.ts';

const program = fileURLToPath(new URL('receiver-main.ts', import.meta.url));

export const answering = (status: number, afterMs?: number): Behaviour => [
  { weight: 1, reaction: { kind: 'answer', status, ...(afterMs === undefined ? {} : { afterMs }) } },
];
export const hanging: Behaviour = [{ weight: 1, reaction: { kind: 'hang' } }];
export const resetting: Behaviour = [{ weight: 1, reaction: { kind: 'reset' } }];

export interface Receiver {
  readonly pid: number;
  /** A path below it is an endpoint. */
  readonly origin: string;
  ask<Kind extends Request['kind']>(request: Extract<Request, { kind: Kind }>): Promise<Answers[Kind]>;
  stop(): Promise<void>;
}

/** @throws {Error} if the process ends before it listens */
export const startReceiver = async (behaviour: Behaviour): Promise<Receiver> => {
  const child = fork(program, { serialization: 'advanced' });
  const waiting = new Map<number, (answer: Answers[Request['kind']]) => void>();
  let asked = 0;
  const exited = once(child, 'exit');
  const started = await Promise.race([
    once(child, 'message') as Promise<[{ port: number }]>,
    exited.then(() => undefined),
  ]);
  if (!started) throw new Error('a receiver has ended before it listened');
  child.on('message', ({ number, answer }: Answered) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  const ask: Receiver['ask'] = <Kind extends Request['kind']>(request: Extract<Request, { kind: Kind }>) =>
    new Promise<Answers[Kind]>((resolve, reject) => {
      const number = asked++;
      waiting.set(number, (answer) => resolve(answer as Answers[Kind]));
      void exited.then(() => reject(new Error('a receiver has ended')));
      child.send({ number, request } satisfies Numbered);
    });
  await ask<'behave'>({ kind: 'behave', behaviour });
  return {
    pid: child.pid!,
    origin: `http://127.0.0.1:${started[0].port}`,
    ask,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
};

/** An origin that refuses connections. */
export const deadOrigin = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
