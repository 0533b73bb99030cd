/**
 * A load test as data: its flags, its environment, its rows, each with its measurement, and its criteria, each with the row and the
 * figure that it judges. {@link defineLoadTest} does the rest alike for all: it parses the flags, opens the environment, measures the
 * rows in turn, prints the tables and the verdicts, writes JSON (and SVG), and says whether every promise holds.
 */
import { type Closer, createCloser } from '#shared/lifecycle.ts';
import { type Outcomes, runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { loadCore, moveToCores } from '../measure/pinning.ts';
import { checkPrograms, type Program } from '../peers/installed.ts';
import { type CriterionOf, findingsOf } from '../report/findings.ts';
import { brokenPromises } from '../report/judge.ts';
import { failedRows, type Results, reportText, resultsFolder, writeResults } from '../report/report.ts';
import { type Flags, type OptionsOf, parseFlags, usageOf } from './flags.ts';

/** A call of a load test. */
export interface Run<Options = unknown> {
  options: Options;
  /** Whether rounds are short; false if the load test has no such flag. */
  quick: boolean;
  /** One line of progress, on standard error. */
  say(line: string): void;
  /** Closes what the environment opens, in the reverse order, once the report is printed, or after a failure. */
  closer: Closer;
}

export interface Definition<F extends Flags, Context, Rows> {
  name: string;
  /** Its purpose in a line, for the usage. */
  about: string;
  flags: F;
  /**
   * Adds the flag --only. Its words are the names of the rows; with `beginnings` they are the beginnings of these names.
   */
  only?: { noun: string; beginnings?: readonly string[] };
  /** Moves this command, and the databases and generators that it starts, to core 1. Servers under test have core 0. */
  pinned?: boolean;
  /** Programs of the machine that it needs. It has a flag --install for them. */
  programs?: readonly Program[];
  /** Opens what all rows work with. */
  environment(run: Run<OptionsOf<F>>): Promise<Context>;
  /** In the order in which they are measured. */
  rows: { [Name in keyof Rows]: (context: Context) => Promise<Rows[Name]> };
  /** A function if they depend on the machine. */
  criteria: readonly CriterionOf<NoInfer<Rows>>[] | (() => readonly CriterionOf<NoInfer<Rows>>[]);
  /** Lines below the machine's. */
  remarks?(): string[];
  /** Tables of the rows that were measured, above that of the criteria. */
  tables?(rows: Outcomes<NoInfer<Rows>>): string[];
  /** An SVG picture; undefined if its row was not measured. */
  picture?(results: Results<NoInfer<Rows>>): string | undefined;
  /** Runs after the report. @returns a line to print */
  publish?(results: Results<NoInfer<Rows>>, options: OptionsOf<F>): Promise<string | undefined>;
}

/** As the command sees it. */
export interface LoadTest {
  name: string;
  usage: string;
  /**
   * @param args the arguments behind its name
   * @returns whether every promise holds and no row failed
   * @throws {UsageError} before anything starts
   */
  run(args: readonly string[]): Promise<boolean>;
}

/** As its tests see it. */
export interface DefinedLoadTest<Options, Rows> extends LoadTest {
  parse(args: readonly string[]): Options;
  criteria(): readonly CriterionOf<Rows>[];
}

/** The figures of a load test's rows. */
export type RowsOf<T> = T extends DefinedLoadTest<unknown, infer Rows> ? Rows : never;

/** The flag --only as data. */
const onlyFlag = (
  { noun, beginnings }: { noun: string; beginnings?: readonly string[] },
  rows: readonly string[],
) => {
  const takes = beginnings ? 'WORD,WORD' : `${noun.toUpperCase()},${noun.toUpperCase()}`;
  const help = beginnings ? `${noun}s whose name begins with one of these` : `the ${noun}s to measure`;
  return { kind: 'words' as const, takes, noun, words: beginnings ?? rows, help };
};

/** @throws {Error} if there is no Linux, or no program that makes the load */
const checkMachine = (programs: readonly Program[], isInstalling: boolean, say: Run['say']): void => {
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc: Linux is needed');
  checkPrograms(programs, isInstalling, say);
};

const say = (line: string): void => console.error(line);

/** @param folder for the results */
export const defineLoadTest = <const F extends Flags, Context, Rows>(
  definition: Definition<F, Context, Rows>,
  folder = resultsFolder,
): DefinedLoadTest<OptionsOf<F>, Rows> => {
  const { name, about, flags, only, rows, programs } = definition;
  const rowNames = Object.keys(rows) as (keyof Rows & string)[];
  const install = {
    kind: 'switch',
    help: `installs missing programs by apt, as root on Debian: ${programs?.join(', ')}`,
  };
  const allFlags = {
    ...('quick' in flags && { quick: flags.quick }),
    ...(programs && { install }),
    ...(only && { only: onlyFlag(only, rowNames) }),
    ...flags,
  } as Flags;
  const parse = (args: readonly string[]) => parseFlags(name, allFlags, args);
  const criteria = () =>
    typeof definition.criteria === 'function' ? definition.criteria() : definition.criteria;

  const measure = async (options: OptionsOf<Flags>, closer: Closer): Promise<Results<Rows>> => {
    if (programs) checkMachine(programs, options.install === true, say);
    if (definition.pinned) moveToCores(process.pid, String(loadCore));
    const isQuick = options.quick === true;
    const run = { options: options as OptionsOf<F>, quick: isQuick, say, closer };
    const context = await definition.environment(run);
    const words = (options.only as readonly string[] | undefined) ?? rowNames;
    const isAsked = (row: string) =>
      words.some((word) => (only?.beginnings ? row.startsWith(word) : row === word));
    const outcomes = await runRows(rows, rowNames.filter(isAsked), context, say);
    return {
      date: new Date().toISOString(),
      machine: describeMachine(),
      remarks: definition.remarks?.() ?? [],
      quick: isQuick,
      rows: outcomes,
    };
  };

  const report = async (results: Results<Rows>, options: OptionsOf<F>): Promise<boolean> => {
    const file = await writeResults(folder, name, results, definition.picture?.(results));
    const judged = criteria();
    const findings = findingsOf(judged, results.rows);
    const tables = definition.tables?.(results.rows) ?? [];
    console.log(`\n${reportText({ results, tables, criteria: judged, findings })}\n\n${file}`);
    const published = await definition.publish?.(results, options);
    if (published !== undefined) console.log(published);
    const broken = [...brokenPromises(judged, findings, results.quick), ...failedRows(results.rows)];
    if (broken.length > 0) console.error(`\nNOT MET: ${broken.join('; ')}`);
    return broken.length === 0;
  };

  return {
    name,
    usage: usageOf(name, about, allFlags),
    parse: (args) => parse(args) as OptionsOf<F>,
    criteria,
    async run(args) {
      const options = parse(args);
      const closer = createCloser();
      try {
        return await report(await measure(options, closer), options as OptionsOf<F>);
      } finally {
        await closer.close();
      }
    },
  };
};
