/** Forms: how they are stored and shown. */
import { formsMax } from '#schemas/api/forms.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { HostedResource } from '../hosted/resource.ts';

export const formResource: HostedResource = {
  kind: 'form',
  ids: prefixedIds('form'),
  capability: 'forms',
  noun: 'form',
  idField: 'formId',
  countField: 'submissionCount',
  listField: 'forms',
  max: formsMax,
  order: 'created_at DESC, id DESC',
  // Submissions store their values by the ids of its fields.
  keepsDeleted: true,
  count: 'coalesce((SELECT submissions FROM form_submission_counts WHERE form_id = hosted_pages.id), 0)',
  unset: {
    description: null,
    fields: [],
    redirectAfterSubmit: null,
    thankYouMessage: null,
    submitLabel: null,
    logoUrl: null,
    theme: {},
    socials: [],
  },
};
