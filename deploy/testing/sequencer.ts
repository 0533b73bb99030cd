/**
 * The order of the files of the whole suite: files that mostly wait begin early, one beside others that work, and none
 * is left to run alone. The projects follow each other, since a process only runs files of one; the short files of
 * `unit` come last and fill the end.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes, most of which they wait. */
const waiting = [
  'deploy/smoke/installation.test.ts',
  'control-plane/features/hosted/uploads/storage-away.test.ts',
  'redirector/process/restart.test.ts',
  'deploy/embedded/broken-parts.test.ts',
  'redirector/process/tls-renewal.test.ts',
];
/** Files between two of them. */
const between = 2;

const waitingFirst = (sorted: readonly TestSpecification[]): TestSpecification[] => {
  const first = waiting.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
  const others = sorted.filter((file) => !first.includes(file));
  return [
    ...first.flatMap((file, at) => [file, ...others.slice(at * between, (at + 1) * between)]),
    ...others.slice(first.length * between),
  ];
};

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By the names of the projects, then the longest files first.
    const sorted = await super.sort(files);
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap(waitingFirst);
  }
}
