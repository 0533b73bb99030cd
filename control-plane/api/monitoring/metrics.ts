/** The metrics of this process, for Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { registerProcessMetrics } from '#shared/prometheus.ts';
import type { Middleware } from '../http/context.ts';

export interface Metrics {
  registry: Registry;
  /** Times every request by the route that answered it. */
  observe: Middleware;
  /** A value that is read on each scrape. @param name without the prefix */
  gauge(name: string, help: string, value: () => number): void;
  /** The same for each value of a label. */
  gauges(
    name: string,
    help: string,
    label: string,
    values: () => readonly [value: string, figure: number][],
  ): void;
  /** @param name without the prefix @returns adds one, or more, to the count of a label value */
  counter<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value, times?: number) => void;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  registerProcessMetrics(registry);
  const seconds = new Histogram({
    // OpenTelemetry's names.
    name: 'http_server_request_duration_seconds',
    help: 'Time from the head of a request to its answer, by route',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    gauge(name, help, value) {
      new Gauge({
        name: `waymark_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    },
    gauges(name, help, label, values) {
      new Gauge({
        name: `waymark_${name}`,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          for (const [value, figure] of values()) this.set({ [label]: value }, figure);
        },
      });
    },
    counter(name, help, label, values) {
      const counter = new Counter({
        name: `waymark_${name}`,
        help,
        labelNames: [label],
        registers: [registry],
      });
      // Present from the start, so that a rate is right from the first event on.
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value, times = 1) => counter.inc({ [label]: value }, times);
    },
    async observe(ctx, next) {
      const startedMs = performance.now();
      try {
        await next();
      } finally {
        // An unmatched path is not a label: made-up paths would make up series.
        const labels = {
          http_request_method: ctx.method,
          http_route: ctx.state.route ?? 'none',
          http_response_status_code: String(ctx.status),
        };
        seconds.observe(labels, (performance.now() - startedMs) / 1000);
      }
    },
  };
};
