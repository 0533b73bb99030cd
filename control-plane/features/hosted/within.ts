/** Of a value that comes later than this, the answer is undefined; the value may come all the same. */
export const within = async <Value>(waitMs: number, value: Promise<Value>): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
};
