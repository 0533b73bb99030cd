/** Metrics that a part of a process declares as data, read from it at each scrape. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface MetricDefinition {
  type: 'counter' | 'gauge';
  /** Without the prefix of the process. */
  name: string;
  help: string;
  /** One figure; with a label, one figure per value. */
  value(): number | Readonly<Record<string, number>>;
  label?: string;
}

const definer =
  (type: MetricDefinition['type']) =>
  (name: string, help: string, value: MetricDefinition['value'], label?: string): MetricDefinition => ({
    type,
    name,
    help,
    value,
    ...(label !== undefined && { label }),
  });

/** Declares a figure that only grows while the process runs. */
export const counter = definer('counter');

/** Declares a figure that goes up and down. */
export const gauge = definer('gauge');

/** @param prefix such as `waymark_redirector_` */
export const registerMetrics = (
  prefix: string,
  definitions: readonly MetricDefinition[],
  registry = new Registry(),
): Registry => {
  for (const { type, name, help, value, label } of definitions) {
    const Metric = type === 'counter' ? Counter : Gauge;
    new Metric({
      name: prefix + name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect() {
        this.reset();
        const now = value();
        if (typeof now === 'number') this.inc(now);
        else for (const [key, figure] of Object.entries(now)) this.inc({ [label!]: key }, figure);
      },
    });
  }
  return registry;
};

const ofProcess = new Registry();

/**
 * Registers Node's own metrics of the process. Their collectors cannot be stopped and hold their registry, so a process
 * has one set, however often things start and close in it.
 * @param loopDelayPrecisionMs how often the event loop is sampled; the first call in the process decides
 */
export const registerProcessMetrics = (registry: Registry, loopDelayPrecisionMs = 10): void => {
  if (ofProcess.getMetricsAsArray().length === 0)
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: loopDelayPrecisionMs });
  for (const { name } of ofProcess.getMetricsAsArray())
    registry.registerMetric(ofProcess.getSingleMetric(name)!);
};
