/**
 * Control planes that replace one another on one machine share their ports, so that the ports are never closed: the
 * kernel gives each new connection to one of them. Only planes with the same SECRET_KEY share. Any other process at the
 * port fails the start, which port sharing by itself would not do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import { request } from 'undici';
import { z } from 'zod';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { State } from './context.ts';
import { internalOnly } from './internal-only.ts';

const path = '/internal/process';
/** A working plane answers at once. If none does, the port is free or taken by something else. */
const timeoutMs = 2_000;
/** The kernel chooses who answers: with two planes, all eight answers come from the asking one once in 256 times. */
const questions = 8;

/** Between two questions of a process that is about to stop. */
const againMs = 250;
/** How often in a row no other must answer: the kernel chooses who does. */
const roundsMax = 2;

const answered = z.object({ pid: z.int(), retiring: z.boolean() });
type Answered = z.infer<typeof answered>;

/** Answers which process this is. @param isRetiring whether it is about to stop */
export const createProcessRouter = (token: string, isRetiring: () => boolean): Router<State> =>
  new Router<State>().get(path, internalOnly(token, 'FORBIDDEN'), (ctx) => {
    ctx.state.route = path;
    ctx.body = { pid: process.pid, retiring: isRetiring() } satisfies Answered;
  });

export interface SharedPorts {
  /** Whether another control plane of this installation listens at this address, so that the ports may be shared. */
  isTaken(): Promise<boolean>;
  /** Resolves once no other control plane serves here that is not about to stop: until then the port stays ready. */
  untilAlone(closing: AbortSignal): Promise<void>;
}

/** @param internalUrl where this process itself listens */
export const createSharedPorts = (internalUrl: string, token: string, logger: Logger): SharedPorts => {
  /** @returns the process that answers; undefined if none of this installation does */
  const ask = async (): Promise<Answered | undefined> => {
    try {
      const { statusCode, body } = await request(internalUrl + path, {
        headers: { authorization: `Bearer ${token}` },
        reset: true,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = await body.text();
      return statusCode === 200 ? answered.parse(JSON.parse(answer)) : undefined;
    } catch (error) {
      logger.debug({ err: messageOf(error) }, 'no control plane of this installation answers here');
      return undefined;
    }
  };
  const isShared = async (): Promise<boolean> => {
    const all = await Promise.all(Array.from({ length: questions }, ask));
    return all.some((other) => other !== undefined && other.pid !== process.pid && !other.retiring);
  };

  return {
    async isTaken() {
      const other = await ask();
      if (other) logger.info({ other: other.pid }, 'sharing the ports of the control plane that runs here');
      return other !== undefined;
    },
    async untilAlone(closing) {
      for (let alone = 0; alone < roundsMax && !closing.aborted; ) {
        alone = (await isShared()) ? 0 : alone + 1;
        // The only rejection is the abort, which the loop's condition sees.
        await sleep(againMs, undefined, { signal: closing }).catch(() => undefined);
      }
    },
  };
};
