/** Metrics that a part of a process declares as data, read from it at each scrape. */
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';

interface Figure {
  type: 'counter' | 'gauge';
  /** Without the prefix of the process. */
  name: string;
  help: string;
  /** One figure; with a label, one figure per value. */
  value(): number | Readonly<Record<string, number>>;
  label?: string;
}

/** A histogram of one combination of labels. */
export interface HistogramSeries {
  labels: Readonly<Record<string, string>>;
  /** For each bound how many values are at most as large, and above the bound before; then how many are above all. */
  counts: readonly number[];
  sum: number;
}

interface HistogramDefinition {
  type: 'histogram';
  /** Whole: it is the same in every process. */
  name: string;
  help: string;
  /** Ascending. */
  bounds: readonly number[];
  series(): readonly HistogramSeries[];
}

export type MetricDefinition = Figure | HistogramDefinition;

const definer =
  (type: Figure['type']) =>
  (name: string, help: string, value: Figure['value'], label?: string): Figure => ({
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

/** Declares a histogram that its owner counts. */
export const histogram = (
  name: string,
  help: string,
  bounds: readonly number[],
  series: HistogramDefinition['series'],
): HistogramDefinition => ({ type: 'histogram', name, help, bounds, series });

/** The lines of a histogram as `prom-client` gives them: cumulative, each with its bound. */
const linesOf = ({ name, bounds, series }: HistogramDefinition) =>
  series().flatMap(({ labels, counts, sum }) => {
    let total = 0;
    const buckets = [...bounds, '+Inf'].map((le, at) => {
      total += counts[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  });

const registerHistogram = (definition: HistogramDefinition, registry: Registry): void => {
  const { name, help } = definition;
  const metric = {
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: linesOf(definition) }),
    reset() {},
  };
  registry.registerMetric(metric as unknown as Metric);
};

/** @param prefix such as `waymark_redirector_` */
export const registerMetrics = (
  prefix: string,
  definitions: readonly MetricDefinition[],
  registry = new Registry(),
): Registry => {
  for (const definition of definitions) {
    if (definition.type === 'histogram') {
      registerHistogram(definition, registry);
      continue;
    }
    const { type, name, help, value, label } = definition;
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
