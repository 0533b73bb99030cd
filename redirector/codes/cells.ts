/**
 * Records in cells of 128 bytes, outside the heap of JavaScript: a plain code takes two cache lines there, and none of the
 * collector's time. As objects a million of them took three times as much. A record that does not fit, with rules or a
 * long destination, is kept as an object, and its cell says so.
 *
 *    0 confirmed at, ms │ 8 version │ 16 kind │ 17 id's length │ 18 destination's length │ 20 workspace │ 24 hash │ 28 text
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { HeldRecord } from './held-record.ts';
import { createRecordObjects, type RecordObjects } from './record-objects.ts';

export interface Cells {
  /** Writes a record into a cell. */
  write(cell: number, record: CodeRecord, hash: number, confirmedAtMs: number): void;
  clear(cell: number): void;
  read(cell: number): HeldRecord;
  /** Whether the cell has the record of this id. */
  has(cell: number, id: string, hash: number): boolean;
  /** Undefined where the cell is empty. */
  idAt(cell: number): string | undefined;
  /**
   * Copies the id into the bytes; one that has others than Latin-1 is not copied right.
   * @returns where it ends; `at` where the cell is empty, or there is no room
   */
  copyId(cell: number, target: Uint8Array, at: number): number;
  hashAt(cell: number): number;
  versionAt(cell: number): number;
  confirmedAtMs(cell: number): number;
  confirm(cell: number, atMs: number): void;
  /** The records that are no cell's text: they are in the heap, and vary in size. */
  readonly objects: Pick<RecordObjects, 'some' | 'bytesAt' | 'bytes'>;
}

const cellBytes = 128;
const pageCells = 8192;
const pageBits = 13;
const cellMask = pageCells - 1;

const kindAt = 16;
const idLengthAt = 17;
const destinationLengthAt = 18;
const workspaceAt = 20;
const hashAt = 24;
const textAt = 28;
const textMax = cellBytes - textAt;

const empty = 0;
const active = 1;
const inactive = 2;
/** As an object. */
const elsewhere = 3;

/** Workspaces that cells can name: 80 MB of names at most. The records of further ones are objects. */
const workspacesMax = 2 ** 20;

interface Page {
  readonly bytes: Buffer;
  readonly floats: Float64Array;
  readonly words: Uint32Array;
}

const createPage = (): Page => {
  const memory = new ArrayBuffer(pageCells * cellBytes);
  return { bytes: Buffer.from(memory), floats: new Float64Array(memory), words: new Uint32Array(memory) };
};

/** Workspaces by number. A number is never given up. */
const createWorkspaces = () => {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    names,
    /** Undefined where there are too many. */
    numberOf(name: string): number | undefined {
      const known = numbers.get(name);
      if (known !== undefined || names.length >= workspacesMax) return known;
      numbers.set(name, names.length);
      return names.push(name) - 1;
    },
  };
};

/** @returns whether the text is there: it has room, and each of its characters is a byte */
const writeText = (bytes: Buffer, start: number, { id, destination }: CodeRecord): boolean => {
  const text = id + destination;
  if (text.length > textMax) return false;
  bytes.write(text, start + textAt, 'latin1');
  return bytes.toString('latin1', start + textAt, start + textAt + text.length) === text;
};

export const createCells = (): Cells => {
  const pages: Page[] = [];
  const objects = createRecordObjects();
  const workspaces = createWorkspaces();

  const pageOf = (cell: number): Page => pages[cell >>> pageBits]!;
  const startOf = (cell: number): number => (cell & cellMask) * cellBytes;
  const float = (cell: number): number => startOf(cell) >>> 3;

  const isPlain = (held: HeldRecord): boolean =>
    held.rare === undefined && workspaces.numberOf(held.workspaceId) !== undefined;

  return {
    objects,
    write(cell, record, hash, confirmedAtMs) {
      while (pages.length <= cell >>> pageBits) pages.push(createPage());
      const { bytes, floats, words } = pageOf(cell);
      const [start, held] = [startOf(cell), HeldRecord.of(record)];
      floats[float(cell)] = confirmedAtMs;
      floats[float(cell) + 1] = record.version;
      words[(start + hashAt) >>> 2] = hash;
      if (isPlain(held) && writeText(bytes, start, record)) {
        bytes[start + kindAt] = record.active ? active : inactive;
        bytes[start + idLengthAt] = record.id.length;
        bytes[start + destinationLengthAt] = record.destination.length;
        words[(start + workspaceAt) >>> 2] = workspaces.numberOf(record.workspaceId)!;
        objects.delete(cell);
      } else {
        bytes[start + kindAt] = elsewhere;
        objects.set(cell, held, record);
      }
    },
    clear(cell) {
      pageOf(cell).bytes[startOf(cell) + kindAt] = empty;
      objects.delete(cell);
    },
    read(cell) {
      const { bytes, floats, words } = pageOf(cell);
      const start = startOf(cell);
      const kind = bytes[start + kindAt]!;
      if (kind === elsewhere) return objects.get(cell);
      const idLength = bytes[start + idLengthAt]!;
      const textStart = start + textAt;
      const text = bytes.toString(
        'latin1',
        textStart,
        textStart + idLength + bytes[start + destinationLengthAt]!,
      );
      return new HeldRecord(
        text.slice(0, idLength),
        workspaces.names[words[(start + workspaceAt) >>> 2]!]!,
        floats[float(cell) + 1]!,
        kind === active,
        text.slice(idLength),
        undefined,
      );
    },
    has(cell, id, hash) {
      const { bytes, words } = pageOf(cell);
      const start = startOf(cell);
      if (words[(start + hashAt) >>> 2] !== hash) return false;
      if (bytes[start + kindAt] === elsewhere) return objects.get(cell).id === id;
      if (bytes[start + idLengthAt] !== id.length) return false;
      for (let n = 0; n < id.length; n++) if (bytes[start + textAt + n] !== id.charCodeAt(n)) return false;
      return true;
    },
    idAt(cell) {
      const { bytes } = pageOf(cell);
      const start = startOf(cell);
      const kind = bytes[start + kindAt];
      if (kind === empty) return undefined;
      if (kind === elsewhere) return objects.get(cell).id;
      return bytes.toString('latin1', start + textAt, start + textAt + bytes[start + idLengthAt]!);
    },
    copyId(cell, target, at) {
      const { bytes } = pageOf(cell);
      const start = startOf(cell);
      const kind = bytes[start + kindAt];
      if (kind === empty) return at;
      const object = kind === elsewhere ? objects.get(cell).id : undefined;
      const length = object?.length ?? bytes[start + idLengthAt]!;
      if (at + length > target.length) return at;
      for (let n = 0; n < length; n++) target[at + n] = object?.charCodeAt(n) ?? bytes[start + textAt + n]!;
      return at + length;
    },
    hashAt: (cell) => pageOf(cell).words[(startOf(cell) + hashAt) >>> 2]!,
    versionAt: (cell) => pageOf(cell).floats[float(cell) + 1]!,
    confirmedAtMs: (cell) => pageOf(cell).floats[float(cell)]!,
    confirm(cell, atMs) {
      pageOf(cell).floats[float(cell)] = atMs;
    },
  };
};
