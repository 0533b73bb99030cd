/** Whether the verdicts agree with each other and with the stored units. */

/** The answers to the scans of one unit. A scan that got no verdict is repeated, and counts each time. */
export interface UnitAnswers {
  /** "This is the first scan". */
  first: number;
  again: number;
  /** An explicit 503. */
  unavailable: number;
  /** The connection broke after the request was sent: the answer is unknown. */
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
  /** Units with more than one scan whose verdict is that it is the first. */
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

const faultsOfUnit = (
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
  const faults = answers.map((answer, index) => faultsOfUnit(answer, stored[index]!));
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

/** The figures that must be zero, in words. */
export const promises = {
  firstTwice: 'units with two first scans',
  firstMissing: 'units without a first scan, and without a 503 or a broken connection that explains it',
  claimMissing: 'units with verdicts whose claim is not stored',
  lost: 'verdicts that are not counted',
  invented: 'counted scans that no scanner made',
  givenUp: 'scans that never got a verdict',
  unexpected: 'answers that no genuine code may get',
} as const;

export type PromiseId = keyof typeof promises;

/** A judgement, with what the scanners themselves say. */
export type Judged = Judgement & { givenUp?: number; unexpected?: readonly string[] };

/** How often a promise does not hold. */
export const faultsOf = (judged: Judged, id: PromiseId): number =>
  id === 'unexpected' ? (judged.unexpected?.length ?? 0) : (judged[id] ?? 0);

/** @returns one line for each promise that does not hold */
export const faultsIn = (judged: Judged): string[] =>
  (Object.keys(promises) as PromiseId[])
    .filter((id) => faultsOf(judged, id) > 0)
    .map((id) => `${faultsOf(judged, id)} ${promises[id]}`);
