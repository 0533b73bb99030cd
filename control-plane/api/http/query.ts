/**
 * Parses the query's parameters in one pass. Koa's own `ctx.query` scans all parameters for each one: 15 kB of `&a`
 * take it 400 ms.
 */
export const parseQuery = (querystring: string): Record<string, string | string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
};
