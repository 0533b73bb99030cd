/** The question to the generator's process, and its answer. */
import { z } from 'zod';

export const generatorOptions = z.object({
  port: z.number(),
  /** Connections at a time. */
  connections: z.number(),
  /** `kept` connections stay open for all requests; the others are opened for each one. A trace has both. */
  connectionKind: z.enum(['kept', 'new', 'newTls']),
  /** Whether kept connections take turns; else the one that was free last is taken first, and others may idle. */
  roundRobin: z.boolean().optional(),
  requests: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('requests'), file: z.string() }),
    z.object({ kind: z.literal('ids'), file: z.string(), first: z.number() }),
  ]),
  load: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('steady'),
      ratePerSecond: z.number(),
      seconds: z.number(),
      /** Whether the generator sleeps while nothing is due: see `OpenLoopOptions`. */
      sleeps: z.boolean().optional(),
    }),
    z.object({ kind: z.literal('closed'), seconds: z.number() }),
    z.object({
      kind: z.literal('trace'),
      codes: z.number(),
      seconds: z.number(),
      ratePerSecondMean: z.number(),
      seed: z.number(),
    }),
  ]),
  /** Every so many-th request of a steady load is of this file, from the first one on, and latencies are of these alone. */
  measured: z.object({ file: z.string(), every: z.number().int().min(1), status: z.string() }).optional(),
  /** How the status of an answer in an open loop begins that is no failure; a redirect by default. */
  status: z.string().optional(),
  /** The processes that answer, and the processes that work for them. */
  watch: z.object({ serverPids: z.array(z.number()), behindPids: z.array(z.number()) }),
});

export type GeneratorOptions = z.infer<typeof generatorOptions>;

const latencies = z.object({ p50Ms: z.number(), p99Ms: z.number(), p999Ms: z.number(), maxMs: z.number() });

export const generatorResult = z.object({
  /** Counted answers, and the time that they took. */
  counted: z.number(),
  countedMs: z.number(),
  failed: z.number(),
  failure: z.string(),
  /** CPU of the watched processes in that time, and of the server's core with everything that ran on it. */
  cpu: z.object({ serverMs: z.number(), behindMs: z.number(), coreBusyMs: z.number() }),
  /** From when each request was due; not of a closed loop. */
  latencies: latencies.optional(),
  /** The generator's own delay between due and sent. */
  sendLag: latencies.optional(),
});

export type GeneratorResult = z.infer<typeof generatorResult>;
