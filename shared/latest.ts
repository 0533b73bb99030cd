/** Remembers the value of the last key only: for the steps of one request that ask for the same in turn. */
export const latest = <Value>(compute: (key: string) => Value): ((key: string) => Value) => {
  let known: { key: string; value: Value } | undefined;
  return (key) => {
    if (known?.key !== key) known = { key, value: compute(key) };
    return known.value;
  };
};
