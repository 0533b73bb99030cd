/** The least distance between the inhabited parts of two countries. */
import { countryCircles } from './country-circles.ts';
import { type Circle, distanceKm } from './sphere.ts';

/** For places outside the towns, such as a border in a desert, and for clocks that differ by minutes. */
const allowanceKm = 200;

/** Neighbours across the Sahara whose towns are farther apart than the allowance: the only such pairs. */
const acrossTheDesert = new Set(['DZ EH', 'DZ MR', 'LY NE', 'LY SD', 'LY TD']);

const parseCircle = (text: string): Circle => {
  const [latitude, longitude, radiusKm] = text.split(',').map(Number) as [number, number, number];
  return { latitude, longitude, radiusKm };
};

const circlesByCountry: ReadonlyMap<string, readonly Circle[]> = new Map(
  countryCircles
    .trim()
    .split('\n')
    .map((line) => {
      const [country = '', ...circles] = line.split(' ');
      return [country, circles.map(parseCircle)];
    }),
);

export const knownCountries: readonly string[] = [...circlesByCountry.keys()];

const measure = (a: readonly Circle[], b: readonly Circle[]): number => {
  let least = Number.POSITIVE_INFINITY;
  for (const one of a)
    for (const other of b) least = Math.min(least, distanceKm(one, other) - one.radiusKm - other.radiusKm);
  return Math.max(0, least - allowanceKm);
};

/** Cache: at most one entry per pair of the table. */
const measured = new Map<string, number>();

/**
 * A lower bound for every journey between the two countries.
 * @param a and b ISO 3166-1 alpha-2
 * @returns kilometres, 0 for the same country and for an unknown one
 */
export const distanceMinKm = (a: string, b: string): number => {
  const pair = a < b ? `${a} ${b}` : `${b} ${a}`;
  const known = measured.get(pair);
  if (known !== undefined) return known;
  const [ofA, ofB] = [circlesByCountry.get(a), circlesByCountry.get(b)];
  if (a === b || !ofA || !ofB || acrossTheDesert.has(pair)) return 0;
  const distance = measure(ofA, ofB);
  measured.set(pair, distance);
  return distance;
};
