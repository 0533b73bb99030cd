/** For tests: things of two published kinds, a code and a document, which clients change, or which change without a publish. */
import type { Redis } from 'ioredis';
import { recordKey, recordStream, timelineOf, versionsPerTimeline } from '#schemas/code-record.ts';
import { documentKey, gs1DocumentId } from '#schemas/documents.ts';
import { checkDigitOf } from '#shared/gs1/check-digit.ts';
import type { TestControlPlane, Workspace } from '../../testing/control-plane.ts';

export interface Subject {
  keyOf(id: string): string;
  /** A client creates one. @returns its id */
  create(): Promise<string>;
  /** A client changes it. @returns the status of the answer */
  change(id: string): Promise<number>;
  /** Changes it as a process does that ends before it queues or publishes the change. */
  changeAlone(id: string): Promise<void>;
  /** Makes it unreadable, and readable again. */
  damage(id: string): Promise<void>;
  repair(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** As PostgreSQL has it. */
  versionOf(id: string): Promise<number>;
}

export interface SubjectKind {
  kind: string;
  /** In titles. */
  noun: string;
  /** At which redirectors look it up. */
  path: string;
  /** Of the change stream. */
  field: string;
  open(plane: TestControlPlane, own: Workspace): Subject;
}

const openCodes: SubjectKind['open'] = ({ pool }, own) => {
  const set = async (id: string, change: string) =>
    void (await pool.query(`UPDATE codes SET ${change} WHERE id = $1`, [id]));
  let changes = 0;
  return {
    keyOf: recordKey,
    create: async () => (await own.createCode()).id,
    async change(id) {
      const destination = `https://example.com/${++changes}`;
      return (await own.call('PUT', `/api/qr/codes/${id}`, { destination })).status;
    },
    changeAlone: (id) => set(id, 'version = version + 1'),
    damage: (id) => set(id, `routing_rules = '[{"destination": 5}]'`),
    repair: (id) => set(id, 'routing_rules = NULL'),
    remove: async (id) => void (await pool.query('DELETE FROM codes WHERE id = $1', [id])),
    versionOf: async (id) =>
      (await pool.query('SELECT version::int FROM codes WHERE id = $1', [id])).rows[0].version,
  };
};

const entries = '/api/qr/gs1/entries';
const link = { linkType: 'gs1:pip', href: 'https://example.com/p', title: 'Product information' };

/** Keys of this process: each is created once. */
let created = 0;

const openGs1: SubjectKind['open'] = ({ pool }, own) => {
  const entryIds = new Map<string, string>();
  const keyIn = (id: string) => id.slice(gs1DocumentId('').length);
  const run = async (text: string, id: string) => void (await pool.query(text, [keyIn(id)]));
  const bodyOf = (id: string) => ({ path: `/${keyIn(id)}`, itemDescription: 'Rice', links: [link] });
  return {
    keyOf: documentKey,
    async create() {
      const digits = `0950600${String(++created).padStart(6, '0')}`;
      const id = gs1DocumentId(`01/${digits}${checkDigitOf(digits)}`);
      const { body } = await own.call('POST', entries, bodyOf(id));
      entryIds.set(id, (body as { entryId: string }).entryId);
      return id;
    },
    change: async (id) => (await own.call('PUT', `${entries}/${entryIds.get(id)}`, bodyOf(id))).status,
    changeAlone: (id) => run('UPDATE gs1_keys SET version = version + 1 WHERE key = $1', id),
    damage: (id) => run(`UPDATE gs1_entries SET links = '5' WHERE key = $1`, id),
    repair: (id) => run(`UPDATE gs1_entries SET links = '[]' WHERE key = $1`, id),
    async remove(id) {
      await run('DELETE FROM gs1_entries WHERE key = $1', id);
      await run('DELETE FROM gs1_keys WHERE key = $1', id);
    },
    versionOf: async (id) =>
      (await pool.query('SELECT version::int FROM gs1_keys WHERE key = $1', [keyIn(id)])).rows[0].version,
  };
};

export const subjectKinds: readonly SubjectKind[] = [
  { kind: 'code', noun: 'code', path: '/internal/codes', field: 'record', open: openCodes },
  { kind: 'gs1', noun: 'GS1 document', path: '/internal/documents', field: 'document', open: openGs1 },
];

/** Adds a row to the queue, or changes the one that is there. */
export const queueRow = (
  { pool }: Pick<TestControlPlane, 'pool'>,
  kind: string,
  id: string,
  version: number,
  problem?: string,
) =>
  pool.query(
    `INSERT INTO unpublished (kind, id, version, state, problem) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, state = excluded.state,
       problem = excluded.problem, due_at = now()`,
    [kind, id, version, problem === undefined ? 'waiting' : 'set_aside', problem],
  );

/** The version of a text in Redis or on the change stream, as PostgreSQL counts it. */
export const versionIn = (text: string): number => {
  const version = Number(/^\d+/.exec(text)?.[0]);
  return version - timelineOf(version) * versionsPerTimeline;
};

/** The version in Redis; undefined if Redis has no text. */
export const heldVersion = async (redis: Redis, key: string): Promise<number | undefined> => {
  const text = await redis.get(key);
  return text === null ? undefined : versionIn(text);
};

/** The versions of a thing on the change stream, the first first. */
export const announcedVersions = async (redis: Redis, field: string, id: string): Promise<number[]> =>
  (await redis.xrange(recordStream, '-', '+'))
    .filter(([, [name, , , itsId]]) => name === field && itsId === id)
    .map(([, [, text = '']]) => versionIn(text));
