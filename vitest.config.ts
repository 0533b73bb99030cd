import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '.data/**'],
    globalSetup: 'deploy/testing/global-setup.ts',
    setupFiles: ['deploy/testing/after-file.ts'],
    // Real databases and processes take their share of the cores.
    maxWorkers: 2,
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
