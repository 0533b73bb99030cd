const names = ['PATH', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS'] as const;

/**
 * What the environment of a program of the project needs, beside what it is configured with: where programs are, and
 * what vitest.config.ts set, so that it loads what has been compiled before.
 */
export const programEnvironment = (): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
