/** The statement that creates codes. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { createCodes } from './create.ts';

test('is planned once for all calls, also in a database without statistics: a plan costs as much as what it does', async () => {
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
  const { workspaceId } = await createWorkspace(pool, 'test', 'enterprise');
  const create = (number: number) =>
    inTransaction(pool, (tx) =>
      createCodes(
        tx,
        createOutbox([]),
        [
          {
            id: `code${String(number).padStart(5, 'A')}`,
            workspaceId,
            dataType: 'url',
            destination: 'https://example.com/',
          },
        ],
        () => 'other',
        'qr.example.com',
      ),
    );
  for (let number = 0; number < 20; number++) await create(number);
  // PostgreSQL tries five plans for given values before it decides.
  const { rows } = await pool.query(
    `SELECT custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements WHERE name = 'insert-code'`,
  );
  expect(rows).toEqual([{ custom: 5, generic: 15 }]);
});
