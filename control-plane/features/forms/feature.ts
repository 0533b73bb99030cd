/** Forms: fields that visitors fill in, at `{qr_host}/f/{formId}`. */
import { createFormBody, deleteFormQuery, type FormContent, updateFormBody } from '#schemas/api/forms.ts';
import { formTokens, type Tokens } from '#shared/form-token.ts';
import { bodyLimits } from '../../api/http/body.ts';
import type { Operation } from '../../api/http/operation.ts';
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import type { PageKind } from '../hosted/page-kind.ts';
import { pageServingOf } from '../hosted/serving/page-serving.ts';
import { formDocs } from './docs.ts';
import { createFormKind } from './page/form-kind.ts';
import { languageOfForm } from './page/render-form.ts';
import { formResource } from './resource.ts';
import { deletionOfSubmissions } from './submissions/purge.ts';
import { removalIds, removalKind } from './submissions/removal.ts';
import { createSubmissionOperations } from './submissions/routes.ts';
import { submissionIds } from './submissions/submission.ts';
import { createSubmitOperation, submissionEnds } from './submitting/routes.ts';

const openSubmitting = (services: Services, tokens: Tokens, kind: PageKind<FormContent>): Operation => {
  const { pool, outbox, config, metrics, servedDomains } = services;
  const serving = pageServingOf(services);
  return createSubmitOperation({
    pool,
    outbox,
    tokens,
    isIdShaped: kind.isIdShaped,
    find: (id) => serving.find(kind, id),
    servedDomains,
    qrHost: config.qrHost,
    baseUrl: config.baseUrl,
    onEnded: metrics.counter(
      'form_submissions_total',
      'Forms that visitors have sent, by how that ended',
      'how',
      submissionEnds,
    ),
  });
};

export const forms: Feature = {
  name: 'forms',
  tables: ['form_submissions', 'form_submission_counts', 'form_purges'],
  ids: [formResource.ids, submissionIds, removalIds],
  events: ['form.submitted'],
  open(services) {
    const tokens = formTokens(services.config.secretKey);
    const kind = createFormKind(tokens);
    const operations = [
      ...createHostedOperations({
        services,
        rules: {
          resource: formResource,
          createBody: createFormBody,
          updateBody: updateFormBody,
          languageOf: ({ name, content }) => languageOfForm({ name, content: content as FormContent }),
        },
        path: '/api/qr/forms',
        bodyLimit: bodyLimits.form,
        deletes: { query: deleteFormQuery, ...deletionOfSubmissions },
        docs: formDocs,
      }),
      ...createSubmissionOperations(services.pool),
      pageServingOf(services).operationFor(kind),
      openSubmitting(services, tokens, kind),
    ];
    return { operations, jobKinds: [removalKind] };
  },
};
