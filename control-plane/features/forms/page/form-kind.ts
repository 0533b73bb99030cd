/** How forms are served. */
import type { FormContent } from '#schemas/api/forms.ts';
import { formTokenField, type Tokens } from '#shared/form-token.ts';
import type { PageKind } from '../../hosted/page-kind.ts';
import { ownedBy } from '../../hosted/resource.ts';
import { formResource } from '../resource.ts';
import { languageOfForm, renderForm, renderSent } from './render-form.ts';

/** The query of the thank-you page. */
export const sentParameter = 'sent';

/** Each view has its own token, so that it stores one submission. */
export const createFormKind = (tokens: Tokens): PageKind<FormContent> => ({
  kind: 'form',
  segment: 'f',
  isIdShaped: ownedBy(formResource).isIdShaped,
  imageUrls: ({ logoUrl, socials }) => [
    ...(logoUrl === undefined ? [] : [logoUrl]),
    ...socials.flatMap(({ iconUrl }) => iconUrl ?? []),
  ],
  variantOf: (query) => (query.has(sentParameter) ? sentParameter : ''),
  languageOf: languageOfForm,
  render: (form, context) =>
    context.variant === sentParameter ? renderSent(form, context) : renderForm(form, context),
  fill: (form, { now, referrer }) => formTokenField(tokens.create(form.id, { shownAt: now, referrer })),
});
