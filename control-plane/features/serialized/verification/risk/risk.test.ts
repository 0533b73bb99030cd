/** The risk of duplicates, and the distances behind it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceMinKm, knownCountries } from './distance-bounds.ts';
import { type Moment, riskOf } from './risk.ts';
import { distanceKm } from './sphere.ts';

/** Towns at the edges of large countries, on remote islands, and in small countries. */
const towns: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  'US Honolulu': [21.31, -157.86],
  'US Anchorage': [61.22, -149.9],
  'US Miami': [25.76, -80.19],
  'CA Vancouver': [49.28, -123.12],
  'CA Halifax': [44.65, -63.57],
  'MX Tijuana': [32.53, -117.02],
  'BR Recife': [-8.05, -34.88],
  'CL Punta Arenas': [-53.16, -70.91],
  'GB Inverness': [57.48, -4.22],
  'PT Ponta Delgada': [37.74, -25.67],
  'ES Las Palmas': [28.12, -15.43],
  'FR Strasbourg': [48.58, 7.75],
  'GF Cayenne': [4.94, -52.33],
  'DE Görlitz': [51.15, 14.99],
  'CH Basel': [47.56, 7.59],
  'RU Kaliningrad': [54.71, 20.51],
  'RU Vladivostok': [43.12, 131.89],
  'CN Kashgar': [39.47, 75.99],
  'CN Harbin': [45.75, 126.65],
  'JP Naha': [26.21, 127.68],
  'IN Port Blair': [11.67, 92.75],
  'ZA Cape Town': [-33.92, 18.42],
  'AU Perth': [-31.95, 115.86],
  'NZ Dunedin': [-45.87, 170.5],
  'FJ Suva': [-18.14, 178.44],
  'SG Singapore': [1.29, 103.85],
};

/** Including some whose towns are far from the border. */
const neighbours = [
  'DE FR',
  'US CA',
  'US MX',
  'RU CN',
  'RU MN',
  'RU KZ',
  'CN MN',
  'CN IN',
  'DZ ML',
  'DZ NE',
  'LY TD',
  'LY SD',
  'DZ MR',
  'DZ EH',
  'LY NE',
  'SD EG',
  'MR ML',
  'NA ZA',
  'NA BW',
  'BR CO',
  'BR PE',
  'CL AR',
  'SA YE',
  'SA OM',
  'KZ CN',
  'NO RU',
  'FI RU',
  'MY SG',
  'GB IE',
  'NL GB',
  'PK IN',
  'PG ID',
  'FR GB',
  'ES MA',
].map((pair) => pair.split(' ') as [string, string]);

const country = fc.constantFrom(...knownCountries);
const hourMs = 3_600_000;

describe('the least distance of two countries', () => {
  test('is never more than the distance of two of their towns', () => {
    const places = Object.entries(towns).map(([name, [latitude, longitude]]) => ({
      country: name.slice(0, 2),
      latitude,
      longitude,
    }));
    for (const a of places)
      for (const b of places)
        expect(distanceMinKm(a.country, b.country)).toBeLessThanOrEqual(distanceKm(a, b));
  });

  test('is 0 for neighbours, and for an unknown country', () => {
    for (const [a, b] of neighbours) expect([a, b, distanceMinKm(a, b)]).toEqual([a, b, 0]);
    expect(distanceMinKm('DE', 'ZZ')).toBe(0);
  });

  test('is most of the true distance if the countries are far apart', () => {
    expect(distanceMinKm('DE', 'JP')).toBeGreaterThan(7_500);
    expect(distanceMinKm('GB', 'US')).toBeGreaterThan(3_500);
    expect(distanceMinKm('FR', 'GF')).toBeGreaterThan(6_000);
    expect(distanceMinKm('IT', 'CN')).toBeGreaterThan(3_500);
    expect(distanceMinKm('PT', 'PL')).toBeGreaterThan(1_000);
  });

  test('is the same in both directions, 0 within a country, and at most half the way round', () => {
    fc.assert(
      fc.property(country, country, (a, b) => {
        expect(distanceMinKm(a, b)).toBe(distanceMinKm(b, a));
        expect(distanceMinKm(a, a)).toBe(0);
        expect(distanceMinKm(a, b)).toBeGreaterThanOrEqual(0);
        expect(distanceMinKm(a, b)).toBeLessThan(20_100);
      }),
    );
  });
});

describe('the risk of a duplicate', () => {
  const ranks = ['low', 'medium', 'high'];
  const moment = fc.record({ atMs: fc.integer({ min: 0, max: 100 * hourMs }), country });

  test('is low in the same country, and if a country is unknown', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(riskOf({ ...a, country: b.country }, [b])).toBe('low');
        expect(riskOf({ ...a, country: '' }, [b])).toBe('low');
        expect(riskOf(a, [{ ...b, country: '' }])).toBe('low');
      }),
    );
  });

  test('is high in another country sooner than a plane could fly there, and medium later', () => {
    const inGermany: Moment = { atMs: 0, country: 'DE' };
    const flightMs = (distanceMinKm('DE', 'JP') / 900) * hourMs;
    expect(riskOf({ atMs: flightMs - 1000, country: 'JP' }, [inGermany])).toBe('high');
    expect(riskOf({ atMs: flightMs + 1000, country: 'JP' }, [inGermany])).toBe('medium');
    expect(riskOf({ atMs: 1000, country: 'FR' }, [inGermany])).toBe('medium');
  });

  test('is independent of the order of reports, and never rises with the time between scans', () => {
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 0, max: 100 * hourMs }), (a, b, moreMs) => {
        expect(riskOf(a, [b])).toBe(riskOf(b, [a]));
        const [early, late] = a.atMs < b.atMs ? [a, b] : [b, a];
        const later = riskOf({ ...late, atMs: late.atMs + moreMs }, [early]);
        expect(ranks.indexOf(later)).toBeLessThanOrEqual(ranks.indexOf(riskOf(late, [early])));
      }),
    );
  });

  test('is the higher one of the comparisons with the first scan and the last one', () => {
    fc.assert(
      fc.property(moment, moment, moment, (scan, first, last) => {
        const each = [riskOf(scan, [first]), riskOf(scan, [last])].map((risk) => ranks.indexOf(risk));
        expect(ranks.indexOf(riskOf(scan, [first, last]))).toBe(Math.max(...each));
      }),
    );
  });
});
