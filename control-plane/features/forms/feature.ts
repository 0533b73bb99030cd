/** Forms: fields that visitors fill in, at `{qr_host}/f/{formId}`. */
import { createFormBody, deleteFormQuery, updateFormBody } from '#schemas/api/forms.ts';
import type { Feature } from '../../feature.ts';
import { bodyLimits } from '../../http/body.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { formDocs } from './docs.ts';
import { formResource } from './resource.ts';
import { deletionOfSubmissions, removalJob } from './submissions/purge.ts';
import { createSubmissionOperations } from './submissions/routes.ts';
import { submissionIds } from './submissions/submission.ts';

export const forms: Feature = {
  name: 'forms',
  tables: ['form_submissions', 'form_submission_counts'],
  ids: [formResource.ids, submissionIds],
  events: ['form.submitted'],
  open: (services) => ({
    operations: [
      ...createHostedOperations({
        services,
        resource: formResource,
        path: '/api/qr/forms',
        capability: 'forms',
        createBody: createFormBody,
        updateBody: updateFormBody,
        bodyLimit: bodyLimits.form,
        deletes: { query: deleteFormQuery, ...deletionOfSubmissions },
        docs: formDocs,
      }),
      ...createSubmissionOperations(services.pool),
    ],
    jobs: [removalJob(services.pool)],
  }),
};
