/** A source that is asked for few ids of which nothing is held: others may be invented. */
import type { Source } from './source.ts';

export interface LimitedSource<Kept> extends Source<Kept> {
  /** Ids that it was not asked for. */
  readonly refused: number;
}

/** @param take a place for an id of which nothing is held; false if there is none: the id is then undecided */
export const limitSource = <Kept>(source: Source<Kept>, take: () => boolean): LimitedSource<Kept> => {
  let refused = 0;
  return {
    name: source.name,
    get refused() {
      return refused;
    },
    async fetch(ids, held) {
      const { asked = [], left = [] } = Object.groupBy(ids, (id) =>
        held(id) !== undefined || take() ? 'asked' : 'left',
      );
      refused += left.length;
      const found =
        asked.length > 0
          ? await source.fetch(asked, held)
          : { records: new Map<string, Kept>(), unreadable: [], timeline: 0 };
      return { ...found, undecided: left };
    },
  };
};
