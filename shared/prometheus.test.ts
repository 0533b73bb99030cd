import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { registerProcessMetrics } from './prometheus.ts';

test('process metrics are collected once per process, and appear in each registry', async () => {
  const [first, second] = [new Registry(), new Registry()];
  for (const registry of [first, second]) registerProcessMetrics(registry);
  const names = first.getMetricsAsArray().map(({ name }) => name);
  expect(names).toContain('nodejs_eventloop_lag_p99_seconds');
  for (const name of names) expect(second.getSingleMetric(name)).toBe(first.getSingleMetric(name));
  for (const registry of [first, second])
    expect(await registry.metrics()).toMatch(/^process_cpu_seconds_total \d/m);
});
