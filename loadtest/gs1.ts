/**
 * The cost of a GS1 Digital Link, as a ratio to a plain redirect of the same process: CPU under full load, and latency at a constant
 * rate. The redirector holds as many products as codes.
 */
import path from 'node:path';
import { documentKey, type Gs1Document, gs1DocumentId, serializeDocument } from '#schemas/documents.ts';
import { checkDigitOf } from '#shared/gs1/check-digit.ts';
import type { Redis } from '#shared/redis.ts';
import { openEnvironment, workspaceId } from './bench/environment.ts';
import { interleave } from './bench/interleave.ts';
import { floorP99QuietMs, type OpenRound, openRound, quietestOpenRound } from './bench/open-rounds.ts';
import { type ClosedFigures, connections, interleavedRounds, type Target } from './bench/rounds.ts';
import { startTruth } from './bench/truth.ts';
import { startWaymark } from './bench/waymark.ts';
import { codeCount, requestOf, writeRequests } from './load/traffic.ts';
import { runWrk } from './load/wrk.ts';
import { quick } from './load-test/flags.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { withDisturbance } from './report/findings.ts';
import { atMost, type Finding } from './report/judge.ts';

/** The path of the product with this number: `/01/{gtin}`. */
const productPath = (number: number): string => {
  const digits = `0950600${String(number).padStart(6, '0')}`;
  return `/01/${digits}${checkDigitOf(digits)}`;
};

/** Invented for each unit, so that no process knows it: a batch of 1,000 units, and a serial. */
const unitPath = (product: number, unit: number): string =>
  `${productPath(product)}/10/L${Math.floor(unit / 1000)}/21/U${unit}`;

const voc = 'https://ref.gs1.org/voc';

/** A GTIN with a page in two languages and a recipe, as redirectors hold it. */
const documentOf = (number: number): Gs1Document => {
  const path = productPath(number);
  const href = `https://example.com/products/${number}`;
  const links: Gs1Document['entries'][number]['links'] = [
    { linkType: `${voc}/pip`, href, title: 'Product information', hreflang: ['en'], default: true },
    { linkType: `${voc}/pip`, href: `${href}?lang=fr`, title: 'Informations', hreflang: ['fr'] },
    { linkType: `${voc}/recipeInfo`, href: `${href}/recipes`, title: 'Recipes' },
  ];
  const entries = [{ id: `gs1_${number}`, path, itemDescription: `Product ${number}`, links }];
  return { id: gs1DocumentId(path.slice(1)), version: 1, workspaceId, entries };
};

/** Writes products to Redis, as the control plane does. @returns their texts by id */
const writeProducts = async (redis: Redis, count: number): Promise<Map<string, string>> => {
  const documents = Array.from({ length: count }, (_, number) => documentOf(number));
  const texts = new Map(documents.map((document) => [document.id, serializeDocument(document)]));
  await redis.mset(...[...texts].flatMap(([id, text]) => [documentKey(id), text]));
  return texts;
};

/** As many as there are addresses: each unit is scanned once. */
const requestCount = 60_000;
/** Far below the peak of one core, so that no request waits for another. */
const ratePerSecond = 1000;

/** The paths that are asked for: of codes, of the default link of a GTIN, and of units that the GTIN above them answers. */
const pathsOf = (ids: readonly string[]) => ({
  redirect: (index: number) => `/r/${ids[index % codeCount]}`,
  product: (index: number) => productPath(index % codeCount),
  unit: (index: number) => unitPath(index % codeCount, index),
});

type Name = keyof ReturnType<typeof pathsOf>;
type Context = { quick: boolean; targets: (Target & { name: Name })[] };

const environment = async ({ quick, closer }: Run): Promise<Context> => {
  const { redis, home, ids, ...rest } = await openEnvironment(closer);
  const truth = await startTruth(await writeProducts(redis, codeCount));
  closer.add(() => truth.close());
  const redirector = await startWaymark({ ...rest, redis, home, ids, truthUrl: truth.url });
  closer.add(() => redirector.stop());
  const targets: Context['targets'] = [];
  for (const [name, pathOf] of Object.entries(pathsOf(ids)) as [Name, (index: number) => string][]) {
    const requestsFile = path.join(home, `requests-${name}`);
    const requests = Array.from({ length: requestCount }, (_, index) => requestOf(pathOf(index), index));
    await writeRequests(requestsFile, requests);
    targets.push({ ...redirector, name, requestsFile });
  }
  return { quick, targets };
};

interface Figures {
  closed: ClosedFigures;
  /** Of the round in which the generator was least late. */
  open: OpenRound;
}

const measure = async ({ quick, targets }: Context): Promise<Record<Name, Figures>> => {
  // Everything that is asked for is in memory afterwards.
  for (const target of targets) await runWrk({ ...target, connections, seconds: quick ? 3 : 5 });
  const closed = await interleavedRounds(targets, { rounds: quick ? 1 : 5, seconds: 2 });
  const open = await interleave(targets, { rounds: quick ? 3 : 7 }, async (target) => {
    const round = await openRound(target, ratePerSecond, quick ? 2 : 4);
    await target.drained?.();
    return round;
  });
  const entries = targets.map((target): [Name, Figures] => [
    target.name,
    { closed: closed.get(target)!, open: quietestOpenRound(open.get(target)!) },
  ]);
  return Object.fromEntries(entries) as Record<Name, Figures>;
};

/** If the generator itself was late, the figure is the machine's, not the server's. */
const p50Against = ({ open: one }: Figures, { open: redirect }: Figures): Finding => {
  const value = one.p50Ms / redirect.p50Ms;
  const lateMs = Math.max(one.generatorP99Ms, redirect.generatorP99Ms);
  const note = `${one.p50Ms.toFixed(3)} / ${redirect.p50Ms.toFixed(3)} ms at ${ratePerSecond}/s; the generator itself was up to ${lateMs.toFixed(2)} ms late`;
  return lateMs <= floorP99QuietMs ? { value, note } : { why: `disturbed: ${value.toFixed(2)} from ${note}` };
};

const cpuAgainst = ({ closed: one }: Figures, { closed: redirect }: Figures): Finding =>
  withDisturbance(
    {
      value: one.cpuUs / redirect.cpuUs,
      note: `${one.cpuUs.toFixed(1)} / ${redirect.cpuUs.toFixed(1)} µs; ${Math.round(one.perSecond)} / ${Math.round(redirect.perSecond)} per second`,
    },
    [one.foreignShare, redirect.foreignShare],
  );

export const gs1 = defineLoadTest({
  name: 'gs1',
  about: 'measures GS1 Digital Links beside plain redirects',
  flags: { quick },
  environment,
  rows: { links: measure },
  criteria: [
    {
      id: 'productP50',
      title: 'the default link of a GTIN against a plain redirect: p50',
      ...atMost(1.3, '×'),
      row: 'links',
      finding: ({ product, redirect }) => p50Against(product, redirect),
    },
    {
      id: 'unitP50',
      title: 'a batch and serial that walk up to their GTIN: p50',
      ...atMost(1.3, '×'),
      row: 'links',
      finding: ({ unit, redirect }) => p50Against(unit, redirect),
    },
    {
      id: 'productCpu',
      title: 'the default link of a GTIN: CPU under full load',
      ...atMost(1.3, '×'),
      row: 'links',
      finding: ({ product, redirect }) => cpuAgainst(product, redirect),
    },
    {
      id: 'unitCpu',
      title: 'a batch and serial that walk up: CPU under full load',
      ...atMost(1.6, '×', 1.3),
      row: 'links',
      finding: ({ unit, redirect }) => cpuAgainst(unit, redirect),
    },
  ],
});
