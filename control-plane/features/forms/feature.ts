/** Forms: fields that visitors fill in, at `{qr_host}/f/{formId}`. */
import { createFormBody, deleteFormQuery, updateFormBody } from '#schemas/api/forms.ts';
import type { Feature } from '../../feature.ts';
import { bodyLimits } from '../../http/body.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { formDocs } from './docs.ts';
import { formResource } from './resource.ts';

export const forms: Feature = {
  name: 'forms',
  ids: [formResource.ids],
  open: ({ pool }) => ({
    operations: createHostedOperations({
      pool,
      resource: formResource,
      path: '/api/qr/forms',
      capability: 'forms',
      createBody: createFormBody,
      updateBody: updateFormBody,
      bodyLimit: bodyLimits.form,
      // Nothing stores submissions yet: `also` is where they are deleted with their form.
      deletes: { query: deleteFormQuery, also: async () => undefined },
      docs: formDocs,
    }),
  }),
};
