/** The form of the requested submissions; also a deleted one, while it has any. */

import type { FormContent } from '#schemas/api/forms.ts';
import { findOwned } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { objectOf, type StoredPage } from '../../hosted/objects.ts';
import { ownedBy } from '../../hosted/resource.ts';
import { headColumns } from '../../hosted/store.ts';
import { formResource } from '../resource.ts';

export type FormOfSubmissions = Omit<StoredPage, 'content'> & {
  content: FormContent;
  deletedAt: Date | null;
};

const owned = ownedBy(formResource);

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the form is another workspace's */
export const findFormOfSubmissions = (
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<FormOfSubmissions> =>
  findOwned(db, owned, workspaceId, formId, {
    name: 'find-form-of-submissions',
    text: `SELECT ${headColumns(formResource)}, content, deleted_at AS "deletedAt" FROM hosted_pages
           WHERE id = $1 AND workspace_id = $2 AND (deleted_at IS NULL OR ${formResource.count} > 0)`,
  });

/**
 * The number of submissions of a deleted form; 0 if it is not deleted. Locks the count, so that only one of two
 * concurrent deletions finds them.
 */
export const countOutlived = async (db: Queryable, workspaceId: string, formId: string): Promise<number> => {
  if (!owned.isIdShaped(formId)) return 0;
  const { rows } = await db.query<{ submissions: number }>({
    name: 'count-outlived-submissions',
    text: `SELECT submissions::double precision AS submissions FROM form_submission_counts
           WHERE form_id = $1 AND submissions > 0
             AND EXISTS (SELECT FROM hosted_pages WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NOT NULL)
           FOR UPDATE`,
    values: [formId, workspaceId],
  });
  return rows[0]?.submissions ?? 0;
};

/** As the API shows it. */
export const formOfSubmissionsObject = ({ deletedAt, ...form }: FormOfSubmissions): object => ({
  ...objectOf(formResource, form),
  ...(deletedAt && { deleted: true, deletedAt: deletedAt.getTime() }),
});
