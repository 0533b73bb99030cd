/** The test files that a change can make fail. */
import { execFileSync } from 'node:child_process';
import { type Graph, reachedFrom, reversed } from './import-graph.ts';

/** Changed files that reach every test without an import. */
const reachesAll =
  /^(package(-lock)?\.json|vitest\.config\.ts|schemas\/(postgres|clickhouse)\/.*|deploy\/testing\/(close-file|install-programs|global-setup|run)\.ts)$/;

export interface Affected {
  /** The changed file for which every test has to run. */
  readonly all?: string;
  /** The test files, by their paths from the root. */
  readonly tests: readonly string[];
  /** Changed files that no test uses. */
  readonly unused: readonly string[];
}

/** The test files that use a changed file, directly or indirectly. */
export const affectedBy = (changed: readonly string[], uses: Graph): Affected => {
  const all = changed.find((file) => reachesAll.test(file));
  const users = reversed(uses);
  const testsOf = (files: readonly string[]): string[] =>
    [...reachedFrom(files, users)].filter((file) => file.endsWith('.test.ts') && uses.has(file)).sort();
  const unused = changed.filter((file) => testsOf([file]).length === 0);
  return { ...(all !== undefined && { all }), tests: testsOf(changed), unused };
};

/** The files that differ from a base: committed, uncommitted and new ones, by their paths from the folder. */
export interface Changes {
  /** A branch or commit, in words. */
  readonly base: string;
  readonly files: readonly string[];
}

/**
 * The changes since the branch left `main`: on `main` itself those since its last commit. The same without a `main`.
 * @param folder of the project, in a git repository
 */
export const changesIn = (folder: string): Changes => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const listed = (...args: string[]): string[] =>
    git(...args, '-z')
      .split('\0')
      .filter(Boolean);
  const hasMain = git('branch', '--list', 'main').trim() !== '';
  const commit = hasMain ? git('merge-base', 'main', 'HEAD').trim() : 'HEAD';
  const changed = listed('diff', '--name-only', '--relative', commit);
  const created = listed('ls-files', '--others', '--exclude-standard');
  return {
    base: hasMain ? 'main' : 'the last commit',
    files: [...new Set([...changed, ...created])].sort(),
  };
};
