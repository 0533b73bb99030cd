/** Whether the verdicts that were given agree with each other and with what is stored. */

/** What the scans of one unit were answered with. A scan that got no verdict is repeated, and counts each time. */
export interface UnitAnswers {
  /** "This is the first scan". */
  first: number;
  again: number;
  /** An explicit 503. */
  unavailable: number;
  /** The connection broke after the request was sent: nobody knows what the answer was. */
  broken: number;
}

export interface UnitStored {
  scanCount: number;
  /** Whether the time of a first scan is stored. */
  claimed: boolean;
}

export interface Judgement {
  units: number;
  firsts: number;
  verdicts: number;
  unavailable: number;
  broken: number;
  /** Units that more than one scan was told to be the first of. */
  firstTwice: number;
  /** Units with verdicts and no first one, which neither a 503 nor a broken connection explains. */
  firstMissing: number;
  /** Units with verdicts of which no claim is stored. */
  claimMissing: number;
  /** Verdicts that are not counted. */
  lost: number;
  /** Counted scans that neither a verdict nor a broken connection explains. */
  invented: number;
}

const faultsOf = (
  { first, again, unavailable, broken }: UnitAnswers,
  { scanCount, claimed }: UnitStored,
) => ({
  firstTwice: first > 1 ? 1 : 0,
  firstMissing: first === 0 && again > 0 && unavailable + broken === 0 ? 1 : 0,
  claimMissing: first + again > 0 && !claimed ? 1 : 0,
  lost: Math.max(0, first + again - scanCount),
  invented: Math.max(0, scanCount - first - again - broken),
});

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

/** @param stored of the same units, in the same order */
export const judgeUnits = (answers: readonly UnitAnswers[], stored: readonly UnitStored[]): Judgement => {
  const faults = answers.map((answer, index) => faultsOf(answer, stored[index]!));
  return {
    units: answers.length,
    firsts: sum(answers, ({ first }) => first),
    verdicts: sum(answers, ({ first, again }) => first + again),
    unavailable: sum(answers, ({ unavailable }) => unavailable),
    broken: sum(answers, ({ broken }) => broken),
    firstTwice: sum(faults, (each) => each.firstTwice),
    firstMissing: sum(faults, (each) => each.firstMissing),
    claimMissing: sum(faults, (each) => each.claimMissing),
    lost: sum(faults, (each) => each.lost),
    invented: sum(faults, (each) => each.invented),
  };
};

/** What must be zero, in words. */
const promises = {
  firstTwice: 'units that two scans were told to be the first of',
  firstMissing: 'units without a first scan, and without a 503 or a broken connection that explains it',
  claimMissing: 'units with verdicts whose claim is not stored',
  lost: 'verdicts that are not counted',
  invented: 'counted scans that nobody made',
} as const satisfies Partial<Record<keyof Judgement, string>>;

/** @returns one line for each promise that does not hold */
export const faultsIn = (judgement: Judgement): string[] =>
  (Object.keys(promises) as (keyof typeof promises)[])
    .filter((name) => judgement[name] > 0)
    .map((name) => `${judgement[name]} ${promises[name]}`);
