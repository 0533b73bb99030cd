/** A minimal feature that declares one of everything that features can declare. It is in no list of the product. */
import { z } from 'zod';
import { prefixedIds } from '#shared/ids.ts';
import { hmacSha256 } from '#shared/signing.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Feature } from '../../framework/feature.ts';
import type { Consumer } from '../../framework/outbox.ts';
import { requireFlag } from '../../framework/verb.ts';

/** Its migration. */
export const notesTable = 'CREATE TABLE notes (id text PRIMARY KEY, text text NOT NULL, seal bytea NOT NULL)';

const noteIds = prefixedIds('note');
const noteBody = z.strictObject({ text: z.string().max(100).meta({ description: 'What is noted.' }) });
const noteObject = z.object({
  id: z.string().meta({ description: 'Its id.' }),
  text: z.string().meta({ description: 'What is noted.' }),
});

const createNoteOperation = (key: Buffer): Operation =>
  operation({
    method: 'post',
    path: '/api/notes',
    body: noteBody,
    creates: {},
    docs: {
      id: 'createNote',
      tag: 'Notes',
      summary: 'Note something',
      description: 'Keeps a text.',
      responses: { 201: { description: 'It is kept', schema: noteObject } },
    },
    handle: ({ body: { text }, create }) =>
      create({
        async prepare() {},
        async effect(db) {
          const id = noteIds.create();
          await db.query('INSERT INTO notes VALUES ($1, $2, $3)', [id, text, hmacSha256(key, text)]);
          await db.query(`SELECT graphile_worker.add_job('shout-notes', '{}')`);
          return { status: 201, body: { id, text } };
        },
      }),
  });

/** Notes each change of a code. */
const noteChanges: Consumer<'qr.updated'> = {
  types: ['qr.updated'],
  async accept(tx, events) {
    for (const { subject, data } of events) {
      const text = `${subject.id}: ${data.changedKeys.join(', ')}`;
      await tx.query('INSERT INTO notes VALUES ($1, $2, $3)', [noteIds.create(), text, '']);
    }
  },
};

export const notes: Feature = {
  name: 'notes',
  tables: ['notes'],
  ids: [noteIds],
  keyPurposes: ['note-seal'],
  consumers: [noteChanges],
  verbs: {
    'delete-note': {
      synopsis: '--note <id>',
      help: ['deletes a note'],
      flags: ['note'],
      async run(flags, { pool }) {
        const { rowCount } = await pool.query('DELETE FROM notes WHERE id = $1', [
          requireFlag(flags, 'note'),
        ]);
        return [{ deleted: rowCount }];
      },
    },
  },
  open: ({ pool, keyFor }) => ({
    operations: [createNoteOperation(keyFor('note-seal'))],
    tasks: [
      {
        task: 'shout-notes',
        schedule: '0 4 * * *',
        async run() {
          await pool.query('UPDATE notes SET text = upper(text)');
        },
      },
    ],
  }),
};
