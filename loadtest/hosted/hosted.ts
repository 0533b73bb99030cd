/**
 * The cost of a view of a hosted page: CPU time of the control plane from its cache, against Koa that answers the same bytes and does
 * nothing else, and of the redirector, against a redirect. The promises: at most 300 µs of the control plane; at most the CPU of three
 * redirects for a page that the redirector holds, as Brotli, and of one and a half if the browser has it.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { openApiEnvironment } from '../bench/api-environment.ts';
import { mediansOf, takeRounds } from '../bench/interleave.ts';
import { apiKey, type Plane, startRedirector } from '../bench/planes.ts';
import { runAutocannon } from '../load/autocannon.ts';
import { writeRequests } from '../load/traffic.ts';
import { build, quick } from '../load-test/flags.ts';
import { defineLoadTest, type Run } from '../load-test/load-test.ts';
import { cpuMsBetween, readCpu } from '../measure/cpu-time.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import { type BareAnswer, type BareAnswers, startBareKoa } from '../peers/bare-koa.ts';
import { measured } from '../report/findings.ts';
import { atMost, type Finding } from '../report/judge.ts';
import { formatTable } from '../report/table.ts';
import { answerOf, barePath, headersOf, type Way, ways } from './answers.ts';
import { createPage, createRedirect, type Page, type PageName, pageNames } from './pages.ts';

interface View {
  page: Page;
  way: Way;
  answer: BareAnswer;
  etag: string;
}

interface Context extends Run {
  home: string;
  controlPlane: Plane;
  views: Record<PageName, View[]>;
  bare: ServerProcess;
  /** In front of the control plane. */
  redirector: Plane;
  /** The path of a redirect. */
  redirectPath: string;
}

/** The views of a page, each with its answer. A form is other in each answer, so that it has no unchanged view. */
const viewsOf = async (origin: string, page: Page): Promise<View[]> => {
  const views: View[] = [];
  for (const way of ways) {
    const etag = views.at(-1)?.answer.headers.etag ?? '';
    const answer = await answerOf(origin, page, way, etag).catch(() => undefined);
    if (answer) views.push({ page, way, answer, etag });
  }
  return views;
};

const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
  const { closer, options } = run;
  const opened = await openApiEnvironment(closer, options);
  const { home, folder, controlPlane } = opened;
  await queryOnce(opened.databaseUrl, `UPDATE subscriptions SET plan = 'enterprise'`);
  const redirectPath = await createRedirect({ url: controlPlane.url, apiKey });
  const entries: [PageName, View[]][] = [];
  for (const name of pageNames) {
    const page = await createPage({ url: controlPlane.url, apiKey }, name);
    entries.push([name, await viewsOf(controlPlane.url, page)]);
  }
  const answers: BareAnswers = Object.fromEntries(
    entries.flatMap(([, views]) => views.map(({ page, way, answer }) => [barePath(page, way), answer])),
  );
  const bare = await startBareKoa(home, answers);
  closer.add(() => bare.stop());
  const program = path.join(folder, 'redirector/main.ts');
  const redirector = await startRedirector({ home, databases: opened, controlPlane, program, pinned: true });
  closer.add(() => redirector.stop());
  const views = Object.fromEntries(entries) as Context['views'];
  return { ...run, home, controlPlane, views, bare, redirector, redirectPath };
};

/** Microseconds of CPU for one view: medians of the rounds. */
interface ViewFigures {
  page: string;
  way: Way;
  /** Of the answer's body. */
  bytes: number;
  controlPlaneUs: number;
  bareUs: number;
  /** Control plane to bare Koa, round by round. */
  ratio: number;
  ratioRange: Range;
  /** Control plane and redirector together. */
  throughUs: number;
  redirectorUs: number;
  /** Of the redirector, for a redirect. */
  redirectUs: number;
  /** View to redirect, round by round. */
  redirects: number;
}

const connections = 32;
/** One address may look 120 times a minute. */
const addresses = 20_000;

const requestTexts = (at: string, { way, etag }: View): string[] => {
  const headers = Object.entries(headersOf(way, etag)).map(([name, value]) => `${name}: ${value}\r\n`);
  return Array.from(
    { length: addresses },
    (_, n) => `GET ${at} HTTP/1.1\r\n${headers.join('')}x-forwarded-for: 10.1.${n >> 8}.${n & 255}\r\n\r\n`,
  );
};

/** @returns CPU of each process for one answer, in microseconds */
const cpuUsOf = async (
  port: number,
  processes: readonly ServerProcess[],
  requestsFile: string,
  seconds: number,
): Promise<number[]> => {
  const readings = () => processes.map(({ pid }) => readCpu([pid]));
  const before = readings();
  const answers = await runAutocannon({ port, requestsFile, connections, seconds });
  // The traces of a view are part of it: its count is added half a second later.
  await sleep(700);
  const after = readings();
  return processes.map((_, n) => (cpuMsBetween(before[n]!, after[n]!) * 1_000) / answers);
};

/** Rounds of one kind of view. Each asks the servers in turn; the first one warms them up. */
const measureView = async (context: Context, view: View): Promise<ViewFigures> => {
  const { home, controlPlane, bare, redirector, redirectPath, quick: isQuick, say } = context;
  const { page, way, answer } = view;
  const file = path.join(home, `requests-${way}${page.path.replaceAll('/', '-')}`);
  const bareFile = `${file}-bare`;
  await writeRequests(file, requestTexts(page.path, view));
  const redirectFile = `${file}-redirect`;
  await writeRequests(bareFile, requestTexts(barePath(page, way), view));
  await writeRequests(redirectFile, requestTexts(redirectPath, view));
  const seconds = isQuick ? 2 : 3;
  const rounds = await takeRounds({ rounds: isQuick ? 1 : 3, warmUps: 1 }, async () => {
    const [controlPlaneUs] = await cpuUsOf(controlPlane.port, [controlPlane], file, seconds);
    const [bareUs] = await cpuUsOf(bare.port, [bare], bareFile, seconds);
    const both = [controlPlane, redirector];
    const [behindUs, redirectorUs] = await cpuUsOf(redirector.port, both, file, seconds);
    const [redirectUs] = await cpuUsOf(redirector.port, [redirector], redirectFile, seconds);
    return {
      controlPlaneUs: controlPlaneUs!,
      bareUs: bareUs!,
      ratio: controlPlaneUs! / bareUs!,
      throughUs: behindUs! + redirectorUs!,
      redirectorUs: redirectorUs!,
      redirectUs: redirectUs!,
      redirects: redirectorUs! / redirectUs!,
    };
  });
  const bytes = Buffer.from(answer.body, 'base64').length;
  const ratioRange = rangeOf(rounds.map(({ ratio }) => ratio));
  const figures = { page: page.title, way, bytes, ...mediansOf(rounds), ratioRange };
  say(JSON.stringify(figures));
  return figures;
};

const measurePage = (name: PageName) => async (context: Context) => {
  const figures: ViewFigures[] = [];
  for (const view of context.views[name]) figures.push(await measureView(context, view));
  return figures;
};

const viewsTable = (views: readonly ViewFigures[]): string =>
  formatTable(
    [
      'page',
      'browser',
      'bytes',
      'control plane, µs',
      'bare Koa, µs',
      'ratio',
      'through the redirector, µs',
      'of it the redirector',
      'in redirects',
    ],
    views.map(
      ({
        page,
        way,
        bytes,
        controlPlaneUs,
        bareUs,
        ratio,
        ratioRange,
        throughUs,
        redirectorUs,
        redirects,
      }) => [
        page,
        way,
        String(bytes),
        controlPlaneUs.toFixed(0),
        bareUs.toFixed(0),
        `${ratio.toFixed(2)} (${ratioRange.low.toFixed(2)} to ${ratioRange.high.toFixed(2)})`,
        throughUs.toFixed(0),
        redirectorUs.toFixed(0),
        redirects.toFixed(2),
      ],
    ),
  );

const finding = (views: readonly ViewFigures[], way: Way): Finding => {
  const view = views.find((each) => each.way === way);
  return view ? { value: view.controlPlaneUs } : { why: 'the page is other in each answer' };
};

/** In redirects: what a view may cost that the redirector answers. */
const redirectsMax = { compressed: 3, unchanged: 1.5 } as const;
type HeldWay = keyof typeof redirectsMax;
const heldWays = ['compressed', 'unchanged'] as const satisfies readonly HeldWay[];

const heldCriteria = (['landing-page', 'menu'] as const).flatMap((row) =>
  heldWays.map((way) => ({
    id: `${row} from the redirector, ${way}`,
    title: `CPU of the redirector for a view of a ${row.replace('-', ' ')}, ${way}, in redirects`,
    ...atMost(redirectsMax[way], '×'),
    row,
    finding: (views: readonly ViewFigures[]): Finding => {
      const view = views.find((each) => each.way === way);
      return view ? { value: view.redirects } : { why: 'the page was not measured' };
    },
  })),
);

export const hosted = defineLoadTest({
  name: 'hosted',
  about: 'measures views of hosted pages, beside bare Koa and beside a redirect',
  flags: { quick, build: build('control-plane/features/hosted') },
  only: { noun: 'page' },
  pinned: true,
  environment,
  rows: {
    'landing-page': measurePage('landing-page'),
    menu: measurePage('menu'),
    form: measurePage('form'),
  },
  criteria: [
    ...heldCriteria,
    ...pageNames.flatMap((row) =>
      ways.map((way) => ({
        id: `${row}, ${way}`,
        title: `CPU of the control plane for a view of a ${row.replace('-', ' ')}, ${way}`,
        ...atMost(300, ' µs'),
        row,
        finding: (views: readonly ViewFigures[]) => finding(views, way),
      })),
    ),
  ],
  tables: (rows) => {
    const views = pageNames.flatMap((name) => measured(rows[name]) ?? []);
    return views.length > 0 ? [viewsTable(views)] : [];
  },
});
