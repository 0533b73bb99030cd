/**
 * The entry of a thread. It loads the thread's program (worker.ts) so that the thread may be ended at any moment. One
 * module of the program (harfbuzzjs) awaits at its top level. If a thread is ended while the modules that import such a
 * module are run after that await, V8 aborts the whole process (Node 22: "AsyncModuleExecutionFulfilled … Check failed").
 * So that module is loaded first, and alone: it has nothing to run after it.
 */
import type * as Program from './worker.ts';

const load = async (): Promise<typeof Program> => {
  await import('harfbuzzjs');
  return import('./worker.ts');
};

const program = load();
// Each task reports it.
program.catch(() => undefined);

type Name = 'default' | 'answerText' | 'answerPagePart' | 'answerWork';

const passOn =
  <Of extends Name>(name: Of) =>
  async (given: Parameters<(typeof Program)[Of]>[0]) =>
    ((await program)[name] as (given: unknown) => unknown)(given);

export default passOn('default');
export const answerText = passOn('answerText');
export const answerPagePart = passOn('answerPagePart');
export const answerWork = passOn('answerWork');
