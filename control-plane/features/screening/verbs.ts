/** The operator's lists of blocked destinations. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Flags, NothingFound, requireFlag, UsageError, type Verb } from '../../framework/verb.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { type Entry, EntryError, readEntry, writtenEntry } from './entry.ts';
import { clockOf, type ListedEntry, listEntries, removeEntry, removeOlder, writeEntries } from './store.ts';

const defaultList = 'operator';
const listNameMax = 64;
const reasonMax = 500;
const writtenAtOnce = 1_000;
const readAtOnce = 1_000;
/** Lines that are not understood, told one by one. */
const toldMax = 20;

/** @throws {UsageError} */
const entryIn = (flags: Flags): Entry => {
  try {
    return readEntry(requireFlag(flags, 'destination'));
  } catch (error) {
    if (error instanceof EntryError) throw new UsageError(`--destination ${error.message}`);
    throw error;
  }
};

const listIn = (flags: Flags): string => {
  const list = flags.list?.trim() || defaultList;
  if (list.length > listNameMax) throw new UsageError(`--list must have at most ${listNameMax} characters`);
  return list;
};

const reasonIn = ({ reason }: Flags): string | null => {
  const text = reason?.trim() || null;
  if (text !== null && text.length > reasonMax)
    throw new UsageError(`--reason must have at most ${reasonMax} characters`);
  return text;
};

const shown = ({ list, reason, addedAt, ...entry }: ListedEntry) => ({
  destination: writtenEntry(entry),
  list,
  ...(reason !== null && { reason }),
  addedAt: addedAt.toISOString(),
});

async function* allEntries(pool: Pool, list: string | undefined): AsyncGenerator<string> {
  let after: ListedEntry | undefined;
  do {
    const page = await listEntries(pool, list, after, readAtOnce);
    for (const entry of page) yield `${JSON.stringify(shown(entry))}\n`;
    after = page.length < readAtOnce ? undefined : page.at(-1);
  } while (after);
}

/** Reads an entry a line; `#` begins a comment. */
const importFile = async (
  pool: Pool,
  file: string,
  list: string,
  complain: (line: string) => void,
): Promise<{ entries: number; refused: number }> => {
  let waiting: Entry[] = [];
  let [entries, refused, line] = [0, 0, 0];
  const write = async (): Promise<void> => {
    if (waiting.length > 0) await writeEntries(pool, list, waiting, null);
    entries += waiting.length;
    waiting = [];
  };
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line++;
    const given = text.replace(/(?:^|\s)#.*$/, '').trim();
    if (given === '') continue;
    try {
      waiting.push(readEntry(given));
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      if (++refused <= toldMax) complain(`line ${line}: ${error.message}`);
    }
    if (waiting.length === writtenAtOnce) await write();
  }
  await write();
  return { entries, refused };
};

const importVerb: Verb = {
  synopsis: '--file <path> [--list <name>] [--replace]',
  help: [
    'blocks the destinations of a file, one a line: a host, a URL without a query, or sha256: and a hash or its beginning',
    'lines of hosts files and of ad blockers are understood; with --replace the list has nothing else afterwards',
  ],
  flags: ['file', 'list'],
  switches: ['replace'],
  async run(flags, { pool, complain }) {
    const file = requireFlag(flags, 'file');
    const list = listIn(flags);
    const began = await clockOf(pool);
    const { entries, refused } = await importFile(pool, file, list, complain);
    // A list that was replaced by a file of something else would be empty.
    const isReplaced = flags.replace === 'true' && entries > 0;
    const removed = isReplaced ? await removeOlder(pool, list, began) : 0;
    return [{ list, entries, refused, removed }];
  },
};

export const screeningVerbs: Readonly<Record<string, Verb>> = {
  'block-destination': {
    synopsis: '--destination <host, URL or sha256:…> [--list <name>] [--reason <text>]',
    help: [
      'refuses codes, domains and pages that lead to a host with its subdomains, or to a URL and what is below it',
      'in effect within a second; the nightly screening looks at what exists',
    ],
    flags: ['destination', 'list', 'reason'],
    async run(flags, { pool }) {
      const entry = entryIn(flags);
      const [list, reason] = [listIn(flags), reasonIn(flags)];
      await writeEntries(pool, list, [entry], reason);
      return [{ destination: writtenEntry(entry), list }];
    },
  },
  'unblock-destination': {
    synopsis: '--destination <host, URL or sha256:…> [--list <name>]',
    help: ['removes an entry from a list, or without --list from all lists'],
    flags: ['destination', 'list'],
    async run(flags, { pool }) {
      const entry = entryIn(flags);
      const removed = await removeEntry(pool, entry, flags.list?.trim() || undefined);
      if (removed === 0) throw new NothingFound(`No list has the entry ${writtenEntry(entry)}`);
      return [{ destination: writtenEntry(entry), removed }];
    },
  },
  'list-blocked-destinations': {
    synopsis: '[--list <name>]',
    help: ['lists the entries of one list, or of all'],
    flags: ['list'],
    async run(flags, { pool, send }) {
      await send(allEntries(pool, flags.list?.trim() || undefined));
      return [];
    },
  },
  'import-blocked-destinations': importVerb,
};
