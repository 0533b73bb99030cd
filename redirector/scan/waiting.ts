/** Scans that wait for another part: a source of records, Redis for a cap, the control plane for a password. */

export interface Waiting {
  readonly count: number;
  /** Counts the scan as waiting until there is an answer. */
  during<T>(answer: () => Promise<T>): Promise<T>;
}

export const createWaiting = (): Waiting => {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async during(answer) {
      count++;
      try {
        return await answer();
      } finally {
        count--;
      }
    },
  };
};
