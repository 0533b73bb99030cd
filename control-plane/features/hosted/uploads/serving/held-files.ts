/**
 * Image files, held in memory while they are requested: many phones that open a page at once cause one read of its
 * picture. A missing file is remembered for a moment; an unavailable storage is not.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import { createFairGate, type QueueRefusal } from '../../../../platform/fair-queue/fair-gate.ts';
import { type Storage, StorageFailure, type StoredFile } from '../../../../platform/storage/storage.ts';
import { type KeptFile, keyOf } from '../addresses.ts';
import { usualWidths } from '../encoding/sizes.ts';
import type { ImageIds } from '../image-ids.ts';

export interface HeldFile {
  bytes: Buffer;
  /** A strong entity tag, in quotes. */
  etag: string;
}

const heldBytesMax = 64 * 2 ** 20;
/** No image file is larger. */
const fileBytesMax = 2 ** 20;

/** A missing file may be stored a moment later. */
const absentMs = 5_000;
const absentMax = 20_000;

/** Limits of concurrent reads of the storage, and of waiting ones. */
const readingMax = 16;
const waitingMax = 512;
const waitingPerAddressMax = 64;
const waitMsMax = 5_000;

/** Ids made under another key are looked up too, so that a lost key breaks no page. Invented ids share this limit. */
const foreignLookupsPerSecond = 20;

/**
 * A picture smaller than the largest size has its own width, which its id does not reveal. Guessing the widths of one
 * of our ids is limited to this many lookups a minute; widths found before are free.
 */
const guessesMax = 20;
const guessesMs = 60_000;
const guessedIdsMax = 20_000;
const foundMax = 50_000;

export interface HeldFilesOptions {
  storage: Pick<Storage, 'get'>;
  ids: Pick<ImageIds, 'isGenuine'>;
  /** Called for every file that the queue refuses. */
  onRefused?: (why: QueueRefusal) => void;
  nowMs?: () => number;
}

export interface HeldFiles {
  /**
   * @param address that it is done for
   * @returns undefined if there is no such file
   * @throws {ClientError} UNAVAILABLE if too many wait, or too many ids or widths are unknown
   * @throws {StorageFailure}
   */
  find(file: KeptFile, address: string): Promise<HeldFile | undefined>;
  statistics(): { files: number; bytes: number };
}

const busy = 'Too many pictures are being read; try again shortly';

const unavailable = () => new ClientError('UNAVAILABLE', busy, { retryAfterSeconds: 1 });

/** Allows this many calls in each second. */
const createSecondLimit = (max: number, nowMs: () => number) => {
  let second = 0;
  let taken = 0;
  return (): boolean => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) [second, taken] = [now, 0];
    taken++;
    return taken <= max;
  };
};

/** Limits lookups of widths that the image may not have. */
const createGuesses = () => {
  const guesses = createEntryCache<string, { count: number }>(guessedIdsMax, { ttl: guessesMs });
  const found = createEntryCache<string, true>(foundMax);
  return {
    mayLookUp({ id, width }: KeptFile, key: string): boolean {
      if (usualWidths.has(width) || found.has(key)) return true;
      return (guesses.get(id)?.count ?? 0) < guessesMax;
    },
    noteFound: (key: string) => found.set(key, true),
    noteAbsent({ id, width }: KeptFile): void {
      if (usualWidths.has(width)) return;
      const known = guesses.get(id);
      if (known) known.count++;
      else guesses.set(id, { count: 1 });
    },
  };
};

const readWhole = async (file: StoredFile): Promise<HeldFile> => {
  if (file.size > fileBytesMax) throw new Error(`a file of an image has ${file.size} bytes`);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.read()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
};

/** Reads a file once more if another upload of the same picture replaces it during the read. */
const readStored = async (
  storage: Pick<Storage, 'get'>,
  key: string,
  again = true,
): Promise<HeldFile | undefined> => {
  try {
    const stored = await storage.get(key);
    return stored && (await readWhole(stored));
  } catch (error) {
    if (again && error instanceof StorageFailure && error.reason === 'changed')
      return readStored(storage, key, false);
    throw error;
  }
};

export const createHeldFiles = ({
  storage,
  ids,
  onRefused,
  nowMs = Date.now,
}: HeldFilesOptions): HeldFiles => {
  const held = new LRUCache<string, HeldFile>({
    maxSize: heldBytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + 500,
  });
  const absent = createEntryCache<string, true>(absentMax, { ttl: absentMs });
  /** Reads under way: requests for the same file share one. */
  const reading = new Map<string, Promise<HeldFile | undefined>>();
  const gate = createFairGate({
    runningMax: readingMax,
    waitingMax,
    waitingPerTenantMax: waitingPerAddressMax,
    waitMsMax,
    onRefused,
    messages: { tenantFull: busy, busy },
  });
  const mayLookUpForeign = createSecondLimit(foreignLookupsPerSecond, nowMs);

  const guesses = createGuesses();

  const read = async (file: KeptFile, key: string, address: string): Promise<HeldFile | undefined> => {
    const found = await gate.pass({ tenant: { address }, cost: 1 }, () => readStored(storage, key));
    if (found) {
      held.set(key, found);
      guesses.noteFound(key);
    } else {
      absent.set(key, true);
      guesses.noteAbsent(file);
    }
    return found;
  };

  return {
    async find(file, address) {
      const key = keyOf(file);
      const known = held.get(key);
      if (known) return known;
      if (absent.has(key)) return undefined;
      const begun = reading.get(key);
      if (begun) return begun;
      if (!ids.isGenuine(file.id) && !mayLookUpForeign()) throw unavailable();
      if (!guesses.mayLookUp(file, key)) throw unavailable();
      const found = read(file, key, address).finally(() => reading.delete(key));
      reading.set(key, found);
      return found;
    },
    statistics: () => ({ files: held.size, bytes: held.calculatedSize }),
  };
};
