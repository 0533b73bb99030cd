/** What a group's chosen options ask of an item. */
export type FilterRule = 'all' | 'none' | 'any';

export interface ChosenOptions {
  readonly rule: FilterRule;
  readonly chosen: ReadonlySet<number>;
}

export const isShown: (tags: readonly number[], groups: readonly ChosenOptions[]) => boolean;
