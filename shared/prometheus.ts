/** Metrics that a part of a process declares as data, and that are read from it at each scrape. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface MetricDefinition {
  type: 'counter' | 'gauge';
  /** Without the prefix of the process. */
  name: string;
  help: string;
  /** One figure; with a label, a figure for each of its values. */
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
 * Registers what Node says of the process. What measures it cannot be stopped and holds what it was registered in: there is one of
 * each in a process, whatever is started and closed in it.
 * @param loopDelayPrecisionMs how often the event loop is looked at; the first call of the process decides
 */
export const registerProcessMetrics = (registry: Registry, loopDelayPrecisionMs = 10): void => {
  if (ofProcess.getMetricsAsArray().length === 0)
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: loopDelayPrecisionMs });
  for (const { name } of ofProcess.getMetricsAsArray())
    registry.registerMetric(ofProcess.getSingleMetric(name)!);
};
