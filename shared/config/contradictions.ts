/** Settings that are valid one by one and contradict each other. */

interface Ages {
  RECORD_FRESH_S: number;
  RECORD_STALE_MAX_S: number;
}

const staleBeforeFresh = ({ RECORD_FRESH_S, RECORD_STALE_MAX_S }: Ages): string[] =>
  RECORD_STALE_MAX_S >= RECORD_FRESH_S
    ? []
    : [`RECORD_STALE_MAX_S must be at least RECORD_FRESH_S, ${RECORD_FRESH_S}; given: ${RECORD_STALE_MAX_S}`];

const ports = [
  'CONTROL_PLANE_PORT',
  'CONTROL_PLANE_INTERNAL_PORT',
  'REDIRECTOR_PORT',
  'REDIRECTOR_INTERNAL_PORT',
  'REDIRECTOR_HTTP10_PORT',
] as const;

type Ports = Partial<Record<(typeof ports)[number], number | undefined>>;

const samePorts = (settings: Ports): string[] =>
  ports.flatMap((first, at) =>
    ports
      .slice(at + 1)
      .filter((second) => settings[first] !== undefined && settings[first] === settings[second])
      .map((second) => `${first} and ${second} must differ; given: ${settings[first]} for both`),
  );

/** @returns one line for each contradiction */
export const contradictions = (settings: Ages & Ports): string[] => [
  ...staleBeforeFresh(settings),
  ...samePorts(settings),
];
