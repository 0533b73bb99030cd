/** Descriptions of the fields of a form, for integrators: Markdown. */
import { blockTexts, entryIdText, hostedTexts, pictureTexts } from './blocks-texts.ts';

export const formTexts = {
  name: 'The title of the form, which visitors see.',
  description: 'Text above the fields.',
  fields: 'Up to 50, in their order. `null` empties the list.',
  status: hostedTexts.status,
  redirectAfterSubmit: 'Where whoever has sent the form is led: an absolute http or https URL.',
  thankYouMessage: 'What whoever has sent the form reads where there is no `redirectAfterSubmit`.',
  submitLabel: 'What the button says that sends the form.',
  logoUrl: pictureTexts.logoUrl,
  theme: blockTexts.theme,
  socials: blockTexts.socials,
} as const;

export const formFieldTexts = {
  id: `${entryIdText('form', 'the label')} Submissions have their values by it: keep it where a field stays the same question.`,
  type: 'What can be entered: one line, an address of email, a telephone number, several lines, one of the `options` as a list or as buttons, or a tick.',
  label: 'What the field asks for.',
  options:
    'What can be chosen: required for `select` and `radio`, and only for them. Up to 100, none twice; all options of a form have at most 100,000 characters.',
  required: 'Whether it must be filled in; a `checkbox`: whether it must be ticked. Default: false.',
  helpText: 'Text beside the field.',
  placeholder: 'What the empty field shows.',
  maxLength: 'The most characters that may be entered.',
} as const;

/** Texts of fields that only answers have. */
export const formOwnTexts = {
  formId: 'The id of the form, a part of its address: `{qr_host}/f/{formId}`.',
  workspaceId: hostedTexts.workspaceId,
  submissionCount: 'How many submissions are stored.',
  createdAt: hostedTexts.createdAt,
  updatedAt: hostedTexts.updatedAt,
} as const;

export const formQueryTexts = {
  purgeSubmissions: 'Whether the stored submissions are deleted, too.',
} as const;
