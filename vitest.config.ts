import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { readGraphs } from './deploy/testing/import-graph.ts';
import { testFilesByProject } from './deploy/testing/projects.ts';
import { WaitingFirst } from './deploy/testing/sequencer.ts';
import { loadOption, storeStripped } from './deploy/testing/stripped/store.ts';

// Tests start hundreds of processes: what one of them compiled, the next one finds.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compile');

const { imports } = readGraphs();
const files = testFilesByProject(imports);
storeStripped(imports.keys());
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, loadOption].filter(Boolean).join(' ');
const installPrograms = 'deploy/testing/install-programs.ts';

export default defineConfig({
  test: {
    // One group of workers runs them all: a project that waited for the end of another would leave workers idle.
    projects: [
      { extends: true, test: { name: 'unit', include: files.unit } },
      { extends: true, test: { name: 'process', include: files.process, globalSetup: [installPrograms] } },
      {
        extends: true,
        test: {
          name: 'services',
          include: files.services,
          globalSetup: [installPrograms, 'deploy/testing/global-setup.ts'],
        },
      },
    ],
    setupFiles: ['deploy/testing/close-file.ts'],
    sequence: { sequencer: WaitingFirst },
    // One more than a machine for tests has cores: many tests wait for real processes, and for what must not happen.
    maxWorkers: 3,
    // Node loads tests as it loads programs, from its compile cache: a third less CPU for a file that starts a plane.
    // Nothing is mocked: its loader has nothing to do.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A process runs many files, each of which closes what it opened: what they import is loaded once, not 424 times.
    isolate: false,
    // Much is allocated and little kept: a tenth less CPU.
    execArgv: ['--max-semi-space-size=64'],
    // Limits are for what never comes: on a busy machine the same work takes ten times as long.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
