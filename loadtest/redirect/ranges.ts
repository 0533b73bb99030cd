/**
 * The ratios of each machine, and their range. The ratio to nginx depends on the machine more than on any
 * change of the redirector: one machine's figure is no claim.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { rangeOf } from '../measure/statistics.ts';
import { formatTable } from '../report/table.ts';
import type { ServerFigures, ServerKind } from './rows/servers.ts';

const publishedFolder = fileURLToPath(new URL('../published', import.meta.url));

/** Microseconds of CPU for a redirect, by server: the medians of one full run. */
const publishedRun = z.strictObject({
  machine: z.string(),
  waymarkUs: z.number(),
  bareUs: z.number(),
  nginxJobUs: z.number().optional(),
  nginxUnlimitedUs: z.number().optional(),
});

export type PublishedRun = z.infer<typeof publishedRun>;

/** @throws {Error} if a file is not a published run */
export const readPublished = async (folder = publishedFolder): Promise<PublishedRun[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) =>
      publishedRun.parse(JSON.parse(await readFile(path.join(folder, name), 'utf8'))),
    ),
  );
};

/** @returns undefined if the redirector or the bare answer was not measured */
export const publishedRunOf = (
  machine: string,
  servers: readonly ServerFigures[],
): PublishedRun | undefined => {
  const us = (kind: ServerKind) => {
    const figures = servers.find((server) => server.kind === kind);
    return figures && Number(figures.cpuUs.toFixed(1));
  };
  const [waymarkUs, bareUs] = [us('waymark'), us('bare')];
  if (waymarkUs === undefined || bareUs === undefined) return undefined;
  const [nginxJobUs, nginxUnlimitedUs] = [us('nginxJob'), us('nginxUnlimited')];
  return {
    machine,
    waymarkUs,
    bareUs,
    ...(nginxJobUs === undefined ? {} : { nginxJobUs }),
    ...(nginxUnlimitedUs === undefined ? {} : { nginxUnlimitedUs }),
  };
};

/** Keeps a run under the date and the machine's name, for the next reader of the ranges. */
const publish = async (run: PublishedRun, date: string): Promise<string> => {
  const slug = run.machine.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const file = path.join(publishedFolder, `${date.slice(0, 10)}-${slug.slice(0, 60)}.json`);
  await writeFile(file, `${JSON.stringify(run, null, 2)}\n`);
  return file;
};

/** @throws {Error} if the run was short, or without the redirector or its floor */
export const publishRun = async (
  machine: string,
  { servers, isQuick, date }: { servers: readonly ServerFigures[]; isQuick: boolean; date: string },
): Promise<string> => {
  const run = publishedRunOf(machine, servers);
  if (isQuick || !run)
    throw new Error('only a full run with the redirector and the bare answer is published');
  return publish(run, date);
};

const ratio = (ours: number, theirs: number | undefined): number | undefined =>
  theirs === undefined ? undefined : ours / theirs;

const ratiosOf = (run: PublishedRun): (number | undefined)[] =>
  [run.bareUs, run.nginxJobUs, run.nginxUnlimitedUs].map((theirs) => ratio(run.waymarkUs, theirs));

const rangeText = (values: readonly (number | undefined)[]): string => {
  const known = values.filter((value) => value !== undefined);
  const { low, high } = rangeOf(known);
  return known.length === 0 ? '' : `${low.toFixed(2)}–${high.toFixed(2)} ×`;
};

/** A line for each machine, and one for the range over all of them. */
export const rangesTable = (runs: readonly PublishedRun[]): string => {
  const lines = runs.map((run) => [
    run.machine,
    run.waymarkUs.toFixed(1),
    ...ratiosOf(run).map((value) => (value === undefined ? '' : `${value.toFixed(2)} ×`)),
  ]);
  const range = [0, 1, 2].map((column) => rangeText(runs.map((run) => ratiosOf(run)[column])));
  const us = rangeOf(runs.map(({ waymarkUs }) => waymarkUs));
  return formatTable(
    ['machine', 'Waymark, CPU µs', 'to bare uWS', 'to nginx with a limit', 'to nginx without'],
    [...lines, ['range', `${us.low.toFixed(1)}–${us.high.toFixed(1)}`, ...range]],
  );
};
