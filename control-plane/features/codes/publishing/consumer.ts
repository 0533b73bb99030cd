/** The changes of codes, as redirectors are to be told of them. */
import type { Consumer } from '../../../outbox/outbox.ts';
import { addUnpublished } from './unpublished-codes.ts';

/** A code that is created needs no row: a redirector that holds its id as unknown looks again within a bound. */
export const publishingConsumer: Consumer<'qr.updated' | 'qr.deleted'> = {
  types: ['qr.updated', 'qr.deleted'],
  accept: (tx, events) =>
    addUnpublished(
      tx,
      events.map(({ subject }) => subject),
    ),
};
