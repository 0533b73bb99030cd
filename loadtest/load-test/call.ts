/** The call of the command with its arguments. */
import type { LoadTest } from './load-test.ts';
import { UsageError } from './usage-error.ts';

export interface Output {
  say(text: string): void;
  complain(text: string): void;
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

/**
 * Runs the load test with this name, or prints the usage: its own, or that of all load tests if there is no name.
 * @returns the exit code: 0 done, 1 a promise does not hold or a row failed, 2 wrong usage
 * @throws whatever the load test throws
 */
export const callLoadTest = async (
  [name = '', ...rest]: readonly string[],
  loadTests: readonly LoadTest[],
  { say, complain }: Output,
): Promise<number> => {
  const named = loadTests.find((each) => each.name === name);
  const usage = (named ? [named] : loadTests).map((each) => each.usage).join('\n\n');
  try {
    if ([name, ...rest].some(isHelp)) say(usage);
    else if (named) return (await named.run(rest)) ? 0 : 1;
    else {
      const fault = name === '' ? 'no load test is named' : `there is no load test ${name}`;
      throw new UsageError(`${fault}; there are ${loadTests.map((each) => each.name).join(', ')}`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}\n\n${usage}`);
    return 2;
  }
};
