/** A command line that differs from the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}
