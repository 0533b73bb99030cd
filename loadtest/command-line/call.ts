/** What the command does with its arguments. */
import { UsageError } from './usage-error.ts';

export interface LoadTest {
  usage: string;
  /** @param args those behind its name. @throws {UsageError} before anything starts */
  run(args: string[]): Promise<void>;
}

export interface Output {
  say(text: string): void;
  complain(text: string): void;
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

/**
 * Runs the load test that is named, or prints the usage: its own, or that of all where none is named.
 * @returns the exit code: 0 done, 2 wrong usage
 * @throws whatever the load test does
 */
export const callLoadTest = async (
  [name = '', ...rest]: readonly string[],
  loadTests: Readonly<Record<string, LoadTest>>,
  { say, complain }: Output,
): Promise<number> => {
  const named = Object.hasOwn(loadTests, name) ? loadTests[name] : undefined;
  const usage = (named ? [named] : Object.values(loadTests)).map((each) => each.usage).join('\n\n');
  try {
    if ([name, ...rest].some(isHelp)) say(usage);
    else if (named) await named.run(rest);
    else {
      const fault = name === '' ? 'no load test is named' : `there is no load test ${name}`;
      throw new UsageError(`${fault}; there are ${Object.keys(loadTests).join(', ')}`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}\n\n${usage}`);
    return 2;
  }
};
