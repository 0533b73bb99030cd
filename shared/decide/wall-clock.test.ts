import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallClock } from './wall-clock.ts';

/** The wall clock as Intl writes it, each time. */
const slowClock = (timeZone: string, atMs: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return {
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday')),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  };
};

test('in every zone the wall clock is that of Intl, in whatever order its moments are asked for', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2035, 0) });
  const steps = fc.array(fc.integer({ min: -90_000_000, max: 90_000_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(zone, moment, steps, (timeZone, startMs, walk) => {
      let atMs = startMs;
      for (const step of [0, ...walk]) {
        atMs += step;
        expect(wallClock(timeZone, atMs)).toEqual(slowClock(timeZone, atMs));
      }
    }),
    { numRuns: 1_500 },
  );
});

test('a clock that is put forward or back is right to the millisecond of the change', () => {
  // Berlin in 2026: forward on March 29 and back on October 25, both at 01:00 UTC. Lord Howe moves by half an hour.
  const changes: [zone: string, atMs: number, before: number, after: number][] = [
    ['Europe/Berlin', Date.UTC(2026, 2, 29, 1), 119, 180],
    ['Europe/Berlin', Date.UTC(2026, 9, 25, 1), 179, 120],
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15), 119, 90],
  ];
  for (const [zone, atMs, before, after] of changes) {
    // From the day before on, one offset is remembered up to the change.
    wallClock(zone, atMs - 20 * 3_600_000);
    expect([wallClock(zone, atMs - 1)!.minute, wallClock(zone, atMs)!.minute]).toEqual([before, after]);
    expect(wallClock(zone, atMs - 1)!.minute).toBe(before);
  }
});

test('an unknown zone has no wall clock', () => {
  expect(wallClock('Mars/Olympus', 0)).toBeUndefined();
});
