/** The room that a workspace has for imports: their number, and the bytes of their links. */
import { importBytesMax, importsMax } from '#schemas/api/imports.ts';
import { countCapReached } from '../../api/access/plans.ts';
import { sizeText } from '../../api/http/body.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { countImports, listImports, statusOf } from './store/imports.ts';
import { sumBytes } from './store/rows.ts';

/** The oldest import that has ended, or else that waits for its start: any other is being worked on. */
const whatToDelete = async (db: Queryable, workspaceId: string): Promise<string> => {
  const newestFirst = await listImports(db, workspaceId, undefined, importsMax);
  const ended = newestFirst.findLast((each) => ['completed', 'failed', 'cancelled'].includes(statusOf(each)));
  const found = ended ?? newestFirst.findLast((each) => statusOf(each) === 'checked');
  return found
    ? `delete ${found.id} first, which is ${statusOf(found)}`
    : 'wait until one of them has ended, and delete it';
};

/** Its file is read later: the last import may take more than was left. @throws {ClientError} CONFLICT naming one to delete */
export const requireRoom = async (db: Queryable, workspaceId: string): Promise<void> => {
  if ((await countImports(db, workspaceId)) >= importsMax)
    throw countCapReached(
      'imports',
      importsMax,
      `A workspace has at most ${importsMax} imports, ended ones included: ${await whatToDelete(db, workspaceId)}`,
    );
  if ((await sumBytes(db, workspaceId)) >= importBytesMax)
    throw countCapReached(
      'importBytes',
      importBytesMax,
      `The links of all imports of a workspace have at most ${sizeText(importBytesMax)}, ended ones included: ` +
        (await whatToDelete(db, workspaceId)),
    );
};
