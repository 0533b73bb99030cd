/**
 * Control planes that replace one another on one machine share their ports, so that no call finds them closed: the kernel gives each
 * new connection to one of them. Only planes with the same SECRET_KEY do. Any other process at the port fails the start, which
 * sharing alone would not.
 */
import Router from '@koa/router';
import { request } from 'undici';
import { z } from 'zod';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { State } from './context.ts';
import { internalOnly } from './internal-only.ts';

const path = '/internal/process';
/** A plane that works answers at once. If none does, the port is taken by something else, or free. */
const timeoutMs = 2_000;
/** The kernel chooses who answers: of two planes the same one answers so often once in 256 times. */
const questions = 8;

const answered = z.object({ pid: z.int() });

/** Answers the question which process this is. */
export const createProcessRouter = (token: string): Router<State> =>
  new Router<State>().get(path, internalOnly(token, 'FORBIDDEN'), (ctx) => {
    ctx.state.route = path;
    ctx.body = { pid: process.pid };
  });

export interface SharedPorts {
  /** Whether another control plane of this installation listens where this one is going to: then it may share the ports. */
  isTaken(): Promise<boolean>;
  /** Whether another one listens as well. */
  isShared(): Promise<boolean>;
}

/** @param internalUrl where this process listens itself */
export const createSharedPorts = (internalUrl: string, token: string, logger: Logger): SharedPorts => {
  /** @returns the process that answers; undefined if none of this installation does */
  const ask = async (): Promise<number | undefined> => {
    try {
      const { statusCode, body } = await request(internalUrl + path, {
        headers: { authorization: `Bearer ${token}` },
        reset: true,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = await body.text();
      return statusCode === 200 ? answered.parse(JSON.parse(answer)).pid : undefined;
    } catch (error) {
      logger.debug({ err: messageOf(error) }, 'no control plane of this installation answers here');
      return undefined;
    }
  };
  return {
    async isTaken() {
      const pid = await ask();
      if (pid !== undefined)
        logger.info({ other: pid }, 'sharing the ports of the control plane that runs here');
      return pid !== undefined;
    },
    async isShared() {
      const pids = await Promise.all(Array.from({ length: questions }, ask));
      return pids.some((pid) => pid !== undefined && pid !== process.pid);
    },
  };
};
