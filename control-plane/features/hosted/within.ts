/** The value, or undefined if it takes longer than this; the work itself is not cancelled. */
export const within = async <Value>(waitMs: number, value: Promise<Value>): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
};
