/** Sends the requests of one event-loop iteration together, in batches of bounded size. */

/**
 * @param send answers each item; a failed batch fails each of its items
 * @returns sends one item
 */
export const createLoopBatch = <Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  itemsMax: number,
): ((item: Item) => Promise<Answer>) => {
  interface Waiting {
    item: Item;
    answer: PromiseWithResolvers<Answer>;
  }
  let waiting: Waiting[] = [];

  const sendBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await send(batch.map(({ item }) => item));
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index]!);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  };

  const sendWaiting = (): void => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += itemsMax)
      void sendBatch(all.slice(start, start + itemsMax));
  };

  return (item) => {
    const answer = Promise.withResolvers<Answer>();
    if (waiting.push({ item, answer }) === 1) setImmediate(sendWaiting);
    return answer.promise;
  };
};
