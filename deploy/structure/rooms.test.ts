/** The rule that keeps the planes apart, the features replaceable, and the path of a scan in one direction. */
import { expect, test } from 'vitest';
import { doorsOf, openRooms, roomOf } from './rooms.ts';
import { type Import, importsOf, isTestFile, programFiles, readSource } from './sources.ts';

const imports = programFiles.flatMap(importsOf);
const show = (some: readonly Import[]) => some.map(({ from, to }) => `${from} → ${to}`);

/** Whether a door leads to the room: the door is the room itself, or a folder around it. */
const leadsTo = (door: string, room: string): boolean => room === door || room.startsWith(`${door}/`);

const isAllowed = ({ from, to }: Import): boolean => {
  const [here, there] = [roomOf(from)!, roomOf(to)];
  if (there === undefined || there === here) return true;
  const isPlane = here.startsWith('redirector/') || here.startsWith('control-plane/');
  return (isPlane && openRooms.includes(there)) || doorsOf[here]!.some((door) => leadsTo(door, there));
};

test('every file is in a room', () => {
  expect(programFiles.length).toBeGreaterThan(300);
  expect(programFiles.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('a room imports only the rooms to which it has a door', () => {
  expect(imports.length).toBeGreaterThan(1000);
  expect(show(imports.filter((one) => !isAllowed(one)))).toEqual([]);
});

test('every door leads to a room that is earlier in the list, so that there are no cycles', () => {
  const order = Object.keys(doorsOf);
  const backwards = order.flatMap((room, at) =>
    doorsOf[room]!.filter((door) => order.findIndex((one) => leadsTo(door, one)) >= at).map(
      (door) => `${room} → ${door}`,
    ),
  );
  expect(backwards).toEqual([]);
});

test('no file imports itself, however indirectly', () => {
  const targetsOf = new Map<string, string[]>();
  for (const { from, to } of imports) targetsOf.set(from, [...(targetsOf.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const target of targetsOf.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of programFiles) walk(file, []);
  expect(circles).toEqual([]);
});

test('schemas import only zod', () => {
  const packages = imports.filter(({ from, to }) => from.startsWith('schemas/') && roomOf(to) === undefined);
  expect(show(packages.filter(({ to }) => to !== 'zod' && !to.startsWith('zod/')))).toEqual([]);
});

test('only http uses uWebSockets.js, whose requests live no longer than their handler', () => {
  const users = imports.filter(({ to }) => to === 'uWebSockets.js');
  expect(users.length).toBeGreaterThan(3);
  expect(
    users.filter(({ from }) => roomOf(from) !== 'redirector/http' && !from.startsWith('loadtest/')),
  ).toEqual([]);
});

test('a client imports nothing of the service, since it is published alone', () => {
  const own = imports.filter(({ from }) => from.startsWith('clients/'));
  expect(own.length).toBeGreaterThan(5);
  expect(
    show(own.filter(({ to }) => /^(schemas|shared|redirector|control-plane|deploy)\//.test(to))),
  ).toEqual([]);
});

test('no program imports a test', () => {
  const forbidden = imports.filter(
    ({ from, to }) => !from.startsWith('deploy/') && roomOf(to) !== undefined && isTestFile(to),
  );
  expect(show(forbidden)).toEqual([]);
});

test('the environment is read in one place', () => {
  const readers = programFiles.filter((file) => /process\.env\b/.test(readSource(file)));
  // request-head.ts and thread-pool.ts set variables that uWebSockets.js and libuv read on first use; postgres.ts hands all on to
  // pg_dump, which reads its own.
  const allowed =
    /^shared\/config\.ts$|^redirector\/http\/request-head\.ts$|^redirector\/process\/thread-pool\.ts$|^control-plane\/features\/backup\/postgres\.ts$|^deploy\/|^loadtest\/|^clients\/cli\/src\/main\.ts$/;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});
