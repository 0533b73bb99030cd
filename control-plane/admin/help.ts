/** Texts of the command line: the usage of one verb or of all, and the faults of a given command line. */
import type { UsageError, Verb } from '../framework/verb.ts';

export type Verbs = Readonly<Record<string, Verb>>;

const command = 'npm run --silent admin --';

const linesOf = (name: string, { synopsis, help }: Verb): string[] => [
  `  ${command} ${`${name} ${synopsis}`.trim()}`,
  ...help.map((line) => `      ${line}`),
];

const usageOfVerb = (name: string, verb: Verb): string => ['Usage:', ...linesOf(name, verb)].join('\n');

const usageOfAll = (verbs: Verbs): string =>
  [
    'Usage:',
    ...Object.entries(verbs).flatMap(([name, verb]) => linesOf(name, verb)),
    `  ${command} <verb> --help`,
    '      prints the usage of one verb',
    'Results are lines of JSON, or a file. Exit codes: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n');

/** The fault, and the usage of the verb; without a verb, the existing verbs. */
export const usageAfter = ({ message }: UsageError, verbs: Verbs, name: string | undefined): string => {
  const verb = name !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (name !== undefined && verb) return `${message}\n\n${usageOfVerb(name, verb)}`;
  return `${message}; verbs are ${Object.keys(verbs).join(', ')}\n\nUsage:\n  ${command} <verb> --help`;
};

const isAskedFor = (arg: string): boolean => arg === '--help' || arg === '-h';

/** @returns the text to print if help is requested: `--help`, `help`, `<verb> --help` or `help <verb>` */
export const askedHelp = (args: readonly string[], verbs: Verbs): string | undefined => {
  const [first = '', second = ''] = args;
  const isHelpFirst = first === 'help' || isAskedFor(first);
  if (!isHelpFirst && !args.some(isAskedFor)) return undefined;
  const name = isHelpFirst ? second : first;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  return verb ? usageOfVerb(name, verb) : usageOfAll(verbs);
};
