/** Counts scans that wait for another part: a source of records, Redis for a cap, the control plane for a password. */

export interface Waiting {
  readonly count: number;
  /** Counts a scan as waiting until it has the answer. */
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
