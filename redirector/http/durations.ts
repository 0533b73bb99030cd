/**
 * How long requests take, from their head to their answer, by route and status. A process has one redirector, so the request that is
 * being read, and the counts, belong to the process: a scan costs two looks at the clock and no object.
 */
import { type HistogramSeries, histogram, type MetricDefinition } from '#shared/prometheus.ts';

/** Paths as in the documentation; aliases count as ids. The others are groups of paths. */
export const routes = [
  'other',
  '/r/{id}',
  '/v/{itemId}/{signature}',
  '/api/verify/serial',
  'hosted',
  'gs1',
  'passthrough',
] as const;
export type Route = (typeof routes)[number];

/** Seconds. A redirect from memory takes some 20 µs, and one that waits for the disk or Redis milliseconds. */
const bounds = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
];
const boundsMs = bounds.map((seconds) => seconds * 1000);

interface Counts {
  /** How many took as long as each bound, and no shorter one; the last ones took longer. */
  readonly counts: Float64Array;
  sumMs: number;
}

/** By route, then by status. */
const taken: (Counts | undefined)[][] = routes.map(() => []);

/** When a request began, and where it leads. */
export interface Begun {
  startedMs: number;
  route: number;
}

/** The request that is being read. */
const current: Begun = { startedMs: 0, route: 0 };

/** To be called first, for each request. */
export const begin = (): void => {
  current.startedMs = performance.now();
  current.route = 0;
};

/** Says which route answers the request that is being read. */
export const leadTo = (route: Route): void => {
  current.route = routes.indexOf(route);
};

/** @returns a copy of what times the request that is being read, for an answer that is given later */
export const copyBegun = (): Begun => ({ ...current });

/** A request that was read before is handled now. */
export const continueWith = ({ startedMs, route }: Begun): void => {
  current.startedMs = startedMs;
  current.route = route;
};

/** Counts an answer. */
export const end = (startedMs: number, route: number, status: number): void => {
  const ms = performance.now() - startedMs;
  const known = taken[route]![status] ?? { counts: new Float64Array(bounds.length + 1), sumMs: 0 };
  taken[route]![status] = known;
  let bound = 0;
  while (bound < boundsMs.length && ms > boundsMs[bound]!) bound++;
  known.counts[bound]!++;
  known.sumMs += ms;
};

/** The number that a status line begins with. */
export const statusOf = (line: string): number =>
  line.charCodeAt(0) * 100 + line.charCodeAt(1) * 10 + line.charCodeAt(2) - 48 * 111;

/** Where a request leads, for a {@link Reply}. */
export const currentRoute = (): number => current.route;
export const currentStart = (): number => current.startedMs;

const series = (): HistogramSeries[] =>
  taken.flatMap((byStatus, route) =>
    byStatus.flatMap((known, status) =>
      known
        ? [
            {
              labels: { http_route: routes[route]!, http_response_status_code: String(status) },
              counts: [...known.counts],
              sum: known.sumMs / 1000,
            },
          ]
        : [],
    ),
  );

/** The name is OpenTelemetry's. */
export const durationMetrics = (): MetricDefinition[] => [
  histogram(
    'http_server_request_duration_seconds',
    'Time from the head of a request to its answer, by route and status',
    bounds,
    series,
  ),
];
