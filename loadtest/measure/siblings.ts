/** Whether two cores are the hardware threads of one, according to the kernel, which a hypervisor may not tell. */
import { readFileSync } from 'node:fs';
import { loadCore, serverCore } from './pinning.ts';

/** @param text such as `0`, `0-1` or `0,4` */
export const parseCoreList = (text: string): number[] =>
  text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first = Number.NaN, last = first] = part.split('-').map(Number);
      if (!Number.isInteger(first) || !Number.isInteger(last))
        throw new Error(`not a list of cores: ${text}`);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });

/** Whether the load generator's core is the server's sibling thread. */
export const generatorIsSibling = (): boolean =>
  parseCoreList(
    readFileSync(`/sys/devices/system/cpu/cpu${serverCore}/topology/thread_siblings_list`, 'utf8'),
  ).includes(loadCore);
