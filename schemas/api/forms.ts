/** Forms, as they are sent, stored and shown. */
import { z } from 'zod';
import { shownBlocks, socials, theme } from './blocks.ts';
import { describedLike } from './described-like.ts';
import {
  clearableLabel,
  clearableText,
  givenEntryId,
  hostedCreatedAt,
  hostedName,
  hostedStatus,
  hostedUpdatedAt,
  hostedWorkspaceId,
  identifiedList,
  optionalLabel,
  optionalText,
  type Stored,
  visibleLabel,
} from './hosted-fields.ts';
import { wholeNumber } from './numbers.ts';
import { boundedArray, ownText, switchParameter } from './text.ts';
import { clearableWebUrl } from './web-address.ts';

export const formsMax = 100;
export const formFieldsMax = 50;
const optionsMax = 100;
/** Characters of all options of a form: its page has each option twice. */
export const formOptionsLengthMax = 100_000;
export const fieldLengthMax = 8000;

export const formFieldTypes = ['text', 'email', 'phone', 'textarea', 'select', 'radio', 'checkbox'] as const;
export type FormFieldType = (typeof formFieldTypes)[number];

const options = boundedArray(visibleLabel(200), { max: optionsMax })
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, option] of list.entries()) {
      if (seen.has(option))
        context.addIssue({ code: 'custom', path: [index], message: 'must not be given twice' });
      seen.add(option);
    }
  })
  .nullable()
  .transform((list) => (list?.length ? list : undefined))
  .optional()
  .describe(
    'The choices, without duplicates. Required for `select` and `radio`, and allowed only for them. All ' +
      'options of a form together have at most 100,000 characters.',
  );

const field = z
  .strictObject({
    id: givenEntryId(
      'form',
      'label',
      ' Submissions store values by it: keep it as long as the field asks the same question.',
    ),
    type: z
      .enum(formFieldTypes)
      .describe(
        'The input. `text`: one line. `email`: an e-mail address. `phone`: a telephone number. ' +
          '`textarea`: several lines. `select`: one of the `options`, as a list. `radio`: one of the ' +
          '`options`, as buttons. `checkbox`: a tick.',
      ),
    label: visibleLabel(120).describe('What the field asks for.'),
    options,
    required: z
      .boolean()
      .default(false)
      .describe('Whether the field must be filled in, or the `checkbox` ticked.'),
    helpText: optionalText(500).describe('Text beside the field.'),
    placeholder: optionalLabel(200).describe('The text in the empty field.'),
    maxLength: wholeNumber(1, fieldLengthMax)
      .nullable()
      .transform((length) => length ?? undefined)
      .optional()
      .describe(
        'The largest number of characters that can be entered. Default: 1,000, or 8,000 for `textarea`.',
      ),
  })
  .superRefine(({ type, options: given }, context) => {
    const takesOptions = type === 'select' || type === 'radio';
    if (takesOptions === (given !== undefined)) return;
    const message = takesOptions
      ? `is required when type is ${type}, with at least one option`
      : `must not be given when type is ${type}`;
    context.addIssue({ code: 'custom', path: ['options'], message });
  });

const optionsLengthOf = ({ options: given = [] }: { options?: string[] | undefined }): number =>
  given.reduce((sum, { length }) => sum + length, 0);

const fields = identifiedList(field, {
  field: 'fields',
  max: formFieldsMax,
  word: 'field',
  nameOf: (entry) => entry.label,
})
  .superRefine((list, context) => {
    const length = list?.reduce((sum, entry) => sum + optionsLengthOf(entry), 0) ?? 0;
    if (length <= formOptionsLengthMax) return;
    context.addIssue({
      code: 'custom',
      message: `must have at most ${formOptionsLengthMax} characters of options in all; given: ${length}`,
    });
  })
  .describe('The fields, in their order. `null` empties the list.');

export type FormField = NonNullable<z.output<typeof fields>>[number];

const content = {
  description: clearableText(1000).describe('Text above the fields.'),
  fields,
  redirectAfterSubmit: clearableWebUrl(2000)
    .optional()
    .describe('Where visitors are sent after they submit the form: an absolute http or https URL.'),
  thankYouMessage: clearableText(1000).describe(
    'The text that visitors read after they submit the form, if there is no `redirectAfterSubmit`. A first line of ' +
      'at most 60 characters is the headline.',
  ),
  submitLabel: clearableLabel(60).describe('The text on the button that submits the form.'),
  logoUrl: clearableWebUrl(500)
    .optional()
    .describe('The logo above the form: an absolute http or https URL.'),
  theme,
  socials,
};

const formFields = {
  name: hostedName.describe('The title of the form, which visitors see.'),
  status: hostedStatus.optional(),
  ...content,
};

export const createFormBody = z.strictObject(formFields);

export const updateFormBody = z.strictObject({ ...formFields, name: formFields.name.optional() });

export const deleteFormQuery = z.object({
  purgeSubmissions: switchParameter()
    .default(false)
    .describe('Whether to delete the stored submissions too.'),
});

/** The content as stored, without unset fields. */
export type FormContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shownText = ownText().nullable();
const shownPart = ownText().optional();

const shownField = z.object(
  describedLike(field.shape, {
    id: ownText(),
    type: z.enum(formFieldTypes),
    label: ownText(),
    options: z.array(ownText()).optional(),
    required: z.boolean(),
    helpText: shownPart,
    placeholder: shownPart,
    maxLength: z.int().optional(),
  }),
);

/** With every field. Times are epoch milliseconds. */
export const formObject = z.object(
  describedLike(formFields, {
    formId: ownText().describe('The id of the form, a part of its address: `{qr_host}/f/{formId}`.'),
    workspaceId: hostedWorkspaceId,
    name: ownText(),
    description: shownText,
    fields: z.array(shownField),
    status: hostedStatus,
    redirectAfterSubmit: shownText,
    thankYouMessage: shownText,
    submitLabel: shownText,
    logoUrl: shownText,
    theme: shownBlocks.theme,
    socials: shownBlocks.socials,
    submissionCount: z.int().describe('The number of stored submissions.'),
    createdAt: hostedCreatedAt,
    updatedAt: hostedUpdatedAt,
  }),
);

export type FormObject = z.output<typeof formObject>;

export const formList = z.object({
  forms: z.array(formObject).describe('All forms of the workspace, newest first.'),
});
