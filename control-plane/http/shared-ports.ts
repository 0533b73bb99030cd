/**
 * Control planes that replace one another on one machine share their ports, so that the ports are never closed: the
 * kernel gives each new connection to one of them. Only planes with the same SECRET_KEY share. Any other process at the
 * port fails the start, which port sharing by itself would not do.
 */
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

const answered = z.object({ pid: z.int() });

/** Answers which process this is. */
export const createProcessRouter = (token: string): Router<State> =>
  new Router<State>().get(path, internalOnly(token, 'FORBIDDEN'), (ctx) => {
    ctx.state.route = path;
    ctx.body = { pid: process.pid };
  });

export interface SharedPorts {
  /** Whether another control plane of this installation listens at this address, so that the ports may be shared. */
  isTaken(): Promise<boolean>;
  /** Whether another one listens as well. */
  isShared(): Promise<boolean>;
}

/** @param internalUrl where this process itself listens */
export const createSharedPorts = (internalUrl: string, token: string, logger: Logger): SharedPorts => {
  /** @returns the pid of the process that answers; undefined if none of this installation does */
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
