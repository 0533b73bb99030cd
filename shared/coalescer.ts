/**
 * Runs one query at a time: items requested while one is under way share the next. A single caller waits for nothing, a
 * thousand share a few queries.
 */

export interface CoalescerOptions<Item, Answer> {
  /** Items with the same key share one answer. */
  keyOf(item: Item): string;
  /**
   * Answers a batch with one query.
   * @returns the answers by key; a missing one is undefined
   * @throws the error for the whole batch; the next batch still runs
   */
  runBatch(items: readonly Item[]): Promise<ReadonlyMap<string, Answer>>;
  /** Items per batch. */
  batchMax: number;
  /** A batch ends before the item that would make it heavier than this; an item that is heavier by itself goes alone. */
  weight?: { of(item: Item): number; max: number };
  /** The most waiting items, per lane. Batches are filled from the first lane first. */
  waitingMax: readonly number[];
  /** The error for an item whose lane is full. */
  refusal(): Error;
}

export interface Coalescer<Item, Answer> {
  /** @throws the error of `runBatch`, or the refusal */
  run(item: Item, lane?: number): Promise<Answer | undefined>;
  /** The same for several items, in as few queries as possible. @returns the answers in the order of the items */
  runAll(items: readonly Item[], lane?: number): Promise<(Answer | undefined)[]>;
  /** Whether a lane has room for this many more. */
  hasRoomFor(count: number, lane?: number): boolean;
}

interface Waiting<Item, Answer> {
  item: Item;
  answer: PromiseWithResolvers<Answer | undefined>;
}

type Entry<Item, Answer> = [key: string, waiting: Waiting<Item, Answer>];

export const createCoalescer = <Item, Answer>(
  options: CoalescerOptions<Item, Answer>,
): Coalescer<Item, Answer> => {
  const { keyOf, runBatch, batchMax, weight, waitingMax, refusal } = options;
  const lanes = waitingMax.map(() => new Map<string, Waiting<Item, Answer>>());
  let running = false;

  const takeBatch = (): Entry<Item, Answer>[] => {
    const batch: Entry<Item, Answer>[] = [];
    let weighs = 0;
    for (const lane of lanes) {
      for (const entry of lane.entries().take(batchMax - batch.length)) {
        if (weight) weighs += weight.of(entry[1].item);
        if (weight && weighs > weight.max && batch.length > 0) return batch;
        lane.delete(entry[0]);
        batch.push(entry);
      }
    }
    return batch;
  };

  const answerBatch = async (batch: readonly Entry<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await runBatch(batch.map(([, { item }]) => item));
      for (const [key, { answer }] of batch) answer.resolve(answers.get(key));
    } catch (error) {
      for (const [, { answer }] of batch) answer.reject(error);
    }
  };

  const work = async (): Promise<void> => {
    running = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await answerBatch(batch);
    running = false;
  };

  const hasRoomFor = (count: number, lane = 0): boolean => lanes[lane]!.size + count <= waitingMax[lane]!;

  const enqueue = async (item: Item, lane: number): Promise<Answer | undefined> => {
    const key = keyOf(item);
    const asked = lanes[lane]!.get(key);
    if (asked) return asked.answer.promise;
    if (!hasRoomFor(1, lane)) throw refusal();
    const waiting = { item, answer: Promise.withResolvers<Answer | undefined>() };
    lanes[lane]!.set(key, waiting);
    return waiting.answer.promise;
  };

  const runAll = (items: readonly Item[], lane = 0): Promise<(Answer | undefined)[]> => {
    const answers = Promise.all(items.map((item) => enqueue(item, lane)));
    if (!running) void work();
    return answers;
  };

  return {
    hasRoomFor,
    runAll,
    async run(item, lane) {
      const [answer] = await runAll([item], lane);
      return answer;
    },
  };
};
