/** `waymark plan` and `waymark apply`: a file of codes, compared with the service and carried out. */
import { ok, type Waymark } from '@waymark/client';
import type { Command } from 'commander';
import { failureText } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { readWantedCodes, type WantedCode } from './file.ts';
import { type PlannedCode, planCode } from './plan.ts';

/** Calls at the same time; the client waits if the rate of the key is reached. */
const callsMax = 4;

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

const linesOf = (planned: PlannedCode): string[] => {
  const { externalId } = planned.wanted;
  if (planned.action === 'create') return [`+ ${externalId}: ${short(planned.wanted.data)}`];
  if (planned.action === 'unchanged') return [];
  return planned.changes.map(
    ({ field, from, to }) => `~ ${externalId}: ${field} ${short(from)} → ${short(to)}`,
  );
};

/** The results in the order of the entries. */
const inParallel = async <Entry, Result>(
  entries: readonly Entry[],
  run: (entry: Entry) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < entries.length) {
      const at = next++;
      results[at] = await run(entries[at]!);
    }
  };
  await Promise.all(Array.from({ length: callsMax }, work));
  return results;
};

const planFile = async ({ waymark, print }: Settings, file: string): Promise<PlannedCode[]> => {
  const wanted = await readWantedCodes(file);
  const planned = await inParallel(wanted, (each) => planCode(waymark, each));
  for (const line of planned.flatMap(linesOf)) print(line);
  const count = (action: PlannedCode['action']) => planned.filter((each) => each.action === action).length;
  print(`${count('create')} to create, ${count('update')} to change, ${count('unchanged')} unchanged`);
  return planned;
};

/** @returns the failure in words; undefined if it is done */
const upsert = async (waymark: Waymark, wanted: WantedCode): Promise<string | undefined> => {
  try {
    await ok(waymark.PUT('/api/qr/codes/upsert', { body: wanted as WantedCode & { data: string } }));
    return undefined;
  } catch (error) {
    return `${wanted.externalId}: ${failureText(error)}`;
  }
};

/** One code that is refused costs only itself. @throws {Error} that names each refused code, at the end */
const applyFile = async (settings: Settings, file: string): Promise<void> => {
  const planned = await planFile(settings, file);
  const due = planned.filter(({ action }) => action !== 'unchanged');
  const failures = (await inParallel(due, ({ wanted }) => upsert(settings.waymark, wanted))).filter(
    (failure) => failure !== undefined,
  );
  settings.print(`${due.length - failures.length} applied`);
  if (failures.length > 0) throw new Error(`${failures.length} refused:\n${failures.join('\n')}`);
};

export const addApplyCommands = (program: Command, settings: Settings): void => {
  const fileOption = [
    '-f, --file <file>',
    'YAML or JSON: codes, each with its externalId and the fields of a create',
  ] as const;
  program
    .command('plan')
    .description('Shows what apply would change, and changes nothing.')
    .requiredOption(...fileOption)
    .action(async ({ file }: { file: string }) => void (await planFile(settings, file)));
  program
    .command('apply')
    .description(
      'Creates and changes codes so that they are as in the file. Codes that are not in it stay as they are.',
    )
    .requiredOption(...fileOption)
    .action(({ file }: { file: string }) => applyFile(settings, file));
};
