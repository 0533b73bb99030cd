/** Starts PostgreSQL, Redis and ClickHouse, unless the operator runs them. */
import { messageOf } from '#shared/errors.ts';
import type { Part } from '../child/part.ts';
import type { Dependency } from '../parts/dependencies.ts';
import type { KeptParts } from '../supervision/kept-parts.ts';
import { withProgress } from '../terminal/terminal.ts';

type Started = { part: Part; ms: number } | { error: unknown; ms: number };

/** The URL of a dependency, or why Waymark cannot start without it. */
type Outcome = { url: string } | { failure: unknown };

const tryStart = async ({ name, start }: Dependency, say: (line: string) => void): Promise<Started> => {
  const begunMs = performance.now();
  try {
    const part = await withProgress(`starting ${name}`, start(), say);
    return { part, ms: performance.now() - begunMs };
  } catch (error) {
    return { error, ms: performance.now() - begunMs };
  }
};

const keepStarted = (
  { name, optionalUrl, start, meanwhile }: Dependency,
  started: Started,
  parts: KeptParts,
  say: (line: string) => void,
): Outcome => {
  const { ms } = started;
  if ('part' in started) {
    const { part } = started;
    parts.keep({ name, start, meanwhile, part, url: part.url, ms });
    return { url: part.url };
  }
  if (optionalUrl === undefined) return { failure: started.error };
  say(`${messageOf(started.error)}: ${meanwhile}`);
  parts.keep({ name, start, meanwhile, part: undefined, url: optionalUrl, ms });
  return { url: optionalUrl };
};

/**
 * Starts them concurrently. All that started are registered before a failure is thrown, so that they are stopped in
 * order.
 * @returns the URL of each
 * @throws the first failure of a required dependency
 */
export const startDependencies = async (
  dependencies: readonly Dependency[],
  parts: KeptParts,
  say: (line: string) => void,
): Promise<Record<Dependency['variable'], string>> => {
  const starts = await Promise.all(
    dependencies.map((one) => (one.externalUrl === undefined ? tryStart(one, say) : undefined)),
  );
  const urls: Partial<Record<Dependency['variable'], string>> = {};
  const failures: unknown[] = [];
  for (const [index, dependency] of dependencies.entries()) {
    const { name, variable, externalUrl } = dependency;
    const started = starts[index];
    if (externalUrl !== undefined) {
      urls[variable] = externalUrl;
      parts.listExternal(name, externalUrl);
    } else if (started) {
      const outcome = keepStarted(dependency, started, parts, say);
      if ('url' in outcome) urls[variable] = outcome.url;
      else failures.push(outcome.failure);
    }
  }
  if (failures.length > 0) throw failures[0];
  return urls as Record<Dependency['variable'], string>;
};
