/** The goals for real scans. */
import type { Criterion } from '../../report/judge.ts';

export type RealCriterionId = 'keptFull' | 'tcpTail' | 'longTail' | 'memory' | 'redisCommands' | 'idle';

const goal = (
  id: RealCriterionId,
  title: string,
  bound: number,
  unit: Criterion['unit'],
): Criterion & { id: RealCriterionId } => ({ id, title, better: 'lower', must: bound, aim: bound, unit });

/** Where the generator is the sibling thread of the server's core, it slows a server down the more, the more that uses the caches. */
const keptFullMax = { ownCore: 1.25, sibling: 1.5 };

/** @param isSibling whether the generator's core is the sibling thread of the server's */
export const criteriaOf = ({ isSibling }: { isSibling: boolean }) => [
  goal(
    'keptFull',
    `keep-alive at full load against bare uWS (${isSibling ? 'the generator on the sibling thread' : 'the generator on a core of its own'})`,
    isSibling ? keptFullMax.sibling : keptFullMax.ownCore,
    '×',
  ),
  goal('tcpTail', 'new TCP connections, 1,000/s over 100,000 codes, against bare uWS', 1.5, '×'),
  goal('longTail', 'a million codes at 5,000/s, each once in 200 s, against 50 codes', 1.3, '×'),
  goal('memory', 'memory with a million codes held', 350, ' MB'),
  goal('redisCommands', 'Redis commands for scans of held codes', 5, ' per 1,000 scans'),
  goal('idle', 'share of a core while nobody asks', 0.3, '%'),
];
