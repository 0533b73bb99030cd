/** Health of this process and the endpoints for health and metrics, for its operator. */
import Router from '@koa/router';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { errorBody } from '#shared/errors.ts';
import type { State } from '../http/context.ts';
import { type Operation, publicOperation } from '../http/operation.ts';
import { errorDocsUrl, exampleRequestId, helpFor } from '../http/refusal-body.ts';

/** A check that takes longer counts as failed. */
const checkTimeoutMs = 2_000;

export interface HealthCheck {
  /** If it fails, this process can do nothing useful: it is not ready. */
  required: boolean;
  /** Resolves if the dependency works. */
  run(): Promise<unknown>;
}

/** The health of this process and its dependencies. */
export interface Health {
  check(): Promise<HealthReport>;
  /** From now on the process is not ready: it is about to stop. */
  retire(): void;
}

export interface HealthReport {
  /** Whether every required dependency works. */
  ready: boolean;
  /** The faults, by the name of the check. */
  unhealthy: Readonly<Record<string, string | undefined>>;
}

/**
 * Callers that ask while the checks run share the result: a crowd of probes checks each dependency once.
 * @param checks of the process's dependencies
 */
export const createHealth = (checks: Readonly<Record<string, HealthCheck>>): Health => {
  let retiring = false;
  let running: Promise<HealthReport> | undefined;
  const sharedReport = (): Promise<HealthReport> => {
    running ??= runChecks(checks).finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    async check() {
      const report = await sharedReport();
      if (!retiring) return report;
      return { ready: false, unhealthy: { process: 'it is about to stop', ...report.unhealthy } };
    },
    retire() {
      retiring = true;
    },
  };
};

export interface HealthRouterOptions {
  registry: Registry;
  health: Health;
}

const works = { status: 'ok' };
const worksNot = {
  status: 'unavailable',
  ...errorBody('UNAVAILABLE', 'Something that the service needs does not work'),
};

/**
 * - /health/live: this process answers
 * - /health/ready: 200 while every required dependency works, else 503; names failing ones in both cases
 * - /metrics: Prometheus text
 */
export const createHealthRouter = ({ registry, health }: HealthRouterOptions): Router<State> => {
  const router = new Router<State>();
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/health/ready', async (ctx) => {
    const { ready, unhealthy } = await health.check();
    ctx.status = ready ? 200 : 503;
    // While a process replaces another on a shared port, tells which of the two answered.
    ctx.body = { ...(ready ? works : worksNot), unhealthy, pid: process.pid };
  });
  router.get('/metrics', async (ctx) => {
    ctx.set('content-type', registry.contentType);
    ctx.body = await registry.metrics();
  });
  return router;
};

const publicHealth = z.object({
  status: z.literal('ok').meta({ description: 'All dependencies of the service work.' }),
});

const publicFault = z.object({
  status: z.literal('unavailable').meta({ description: 'A dependency of the service does not work.' }),
  error: z.string().min(1).meta({ description: 'The fault, in words.' }),
  code: z.string().meta({ description: 'The fault, for programs: `UNAVAILABLE`.' }),
  docUrl: z.string().meta({ description: 'The URL of the explanation of `code`.' }),
  requestId: z.string().meta({ description: 'The id of this request, as in the header `request-id`.' }),
});

/** The probe for external monitors: it does not reveal the faulty part. */
export const createHealthOperation = (health: Health, baseUrl: string): Operation =>
  publicOperation({
    access: 'public',
    method: 'get',
    path: '/api/health/ready',
    ipLimit: 'healthProbe',
    docs: {
      id: 'getHealth',
      tag: 'About this API',
      summary: 'Check the health of the service',
      description: 'Returns whether the service works, for monitors. No key is needed.',
      responses: {
        200: { description: 'The service works', schema: publicHealth, example: works },
        503: {
          description: 'The service does not work',
          schema: publicFault,
          example: {
            ...worksNot,
            ...helpFor(worksNot.code, { docsUrl: errorDocsUrl(baseUrl), requestId: exampleRequestId }),
          },
        },
      },
    },
    async handle() {
      const { ready } = await health.check();
      return ready ? { status: 200, body: works } : { status: 503, body: worksNot };
    },
  });

/** Faults by the name of their check. */
const runChecks = async (checks: Readonly<Record<string, HealthCheck>>): Promise<HealthReport> => {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, check, failure: await failureOf(check) })),
  );
  const failed = results.filter(({ failure }) => failure !== undefined);
  return {
    ready: !failed.some(({ check }) => check.required),
    unhealthy: Object.fromEntries(failed.map(({ name, failure }) => [name, failure])),
  };
};

/** The fault in words; undefined for a healthy dependency. */
const failureOf = async (check: HealthCheck): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${checkTimeoutMs} ms`)), checkTimeoutMs);
  });
  try {
    await Promise.race([check.run(), timeout]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  } finally {
    clearTimeout(timer);
  }
};
