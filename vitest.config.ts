import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { WaitingFirst } from './deploy/testing/sequencer.ts';

// Tests start hundreds of processes: what one of them compiled, the next one finds.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compile');

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.data/**'],
    globalSetup: 'deploy/testing/global-setup.ts',
    setupFiles: ['deploy/testing/close-file.ts'],
    sequence: { sequencer: WaitingFirst },
    // One more than a machine for tests has cores: many tests wait for real processes, and for what must not happen.
    maxWorkers: 3,
    // Node strips the types itself, and its compile cache serves tests as well: a third less CPU for a file that starts a plane.
    // Nothing is mocked: its loader has nothing to do.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A process runs many files, each of which closes what it opened: what they import is loaded once, not 424 times.
    isolate: false,
    // Limits are for what never comes: on a busy machine the same work takes ten times as long.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
