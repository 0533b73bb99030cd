/** The order of the files of the whole suite: files that mostly wait begin early, one beside others that work, and none is left to run alone. */
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

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = waiting.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
    const others = sorted.filter((file) => !first.includes(file));
    return [
      ...first.flatMap((file, at) => [file, ...others.slice(at * between, (at + 1) * between)]),
      ...others.slice(first.length * between),
    ];
  }
}
