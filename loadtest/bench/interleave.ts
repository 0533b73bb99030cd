/** Rounds in turn, and the median of each figure. */
import { median } from '../measure/statistics.ts';

/**
 * Measures in turn (A B C, A B C, …), so that a disturbance of the machine meets all alike.
 * @param options.warmUps the first rounds, which do not count
 * @param measure one round of one subject. The number of the round is from 0 on, warm-ups included
 * @returns the rounds of each subject that count
 */
export const interleave = async <Subject, Round>(
  subjects: readonly Subject[],
  { rounds, warmUps = 0 }: { rounds: number; warmUps?: number },
  measure: (subject: Subject, round: number) => Promise<Round>,
): Promise<Map<Subject, Round[]>> => {
  const results = new Map<Subject, Round[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const subject of subjects) {
      const measured = await measure(subject, round);
      if (round >= warmUps) results.get(subject)!.push(measured);
    }
  }
  return results;
};

/** Rounds of one subject. See {@link interleave}. */
export const takeRounds = async <Round>(
  options: { rounds: number; warmUps?: number },
  measure: (round: number) => Promise<Round>,
): Promise<Round[]> => (await interleave([undefined], options, (_, round) => measure(round))).get(undefined)!;

/** The median of each figure. A figure that no round has is absent. */
export const mediansOf = <Round extends { [Name in keyof Round]: number | undefined }>(
  rounds: readonly Round[],
): Round => {
  const names = [...new Set(rounds.flatMap((round) => Object.keys(round) as (keyof Round)[]))];
  const entries = names.flatMap((name) => {
    const values = rounds
      .map((round): number | undefined => round[name])
      .filter((each) => each !== undefined);
    return values.length === 0 ? [] : [[name, median(values)]];
  });
  return Object.fromEntries(entries) as Round;
};
