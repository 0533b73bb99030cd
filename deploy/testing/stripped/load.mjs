/**
 * `node --import` of every process that tests start: loads the project's TypeScript from the files that store.ts wrote.
 * Node strips the types of each file in each process and thread. That is a third of a control plane's start.
 */
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../../../', import.meta.url).href;
const store = new URL('node_modules/.cache/stripped/', root).href;

/** @returns undefined if there is none, or the source was changed since */
const readStripped = (url) => {
  const source = statSync(new URL(url), { throwIfNoEntry: false });
  const file = new URL(`${store}${url.slice(root.length)}.js`);
  const stripped = statSync(file, { throwIfNoEntry: false });
  // Equal, not later: a file that was put back from a copy has its old time.
  const isCurrent = source && stripped && Math.round(stripped.mtimeMs) === Math.floor(source.mtimeMs);
  return isCurrent ? readFileSync(file) : undefined;
};

registerHooks({
  load(url, context, nextLoad) {
    const isOwn = url.startsWith(root) && url.endsWith('.ts');
    const source = isOwn ? readStripped(url) : undefined;
    return source ? { format: 'module', source, shortCircuit: true } : nextLoad(url, context);
  },
});
