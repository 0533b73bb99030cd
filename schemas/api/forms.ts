/** Forms, as they are sent, stored and shown. */
import { z } from 'zod';
import { shownSocials, shownTheme, socials, theme } from './blocks.ts';
import { described } from './described.ts';
import { formFieldTexts, formOwnTexts, formQueryTexts, formTexts } from './forms-texts.ts';
import {
  clearableLabel,
  clearableText,
  entryId,
  hostedName,
  hostedStatus,
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
  .optional();

const field = z
  .strictObject(
    described(
      {
        id: entryId.optional(),
        type: z.enum(formFieldTypes),
        label: visibleLabel(120),
        options,
        required: z.boolean().default(false),
        helpText: optionalText(500),
        placeholder: optionalLabel(200),
        maxLength: wholeNumber(1, fieldLengthMax)
          .nullable()
          .transform((length) => length ?? undefined)
          .optional(),
      },
      formFieldTexts,
    ),
  )
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
}).superRefine((list, context) => {
  const length = list?.reduce((sum, entry) => sum + optionsLengthOf(entry), 0) ?? 0;
  if (length <= formOptionsLengthMax) return;
  context.addIssue({
    code: 'custom',
    message: `must have at most ${formOptionsLengthMax} characters of options in all; given: ${length}`,
  });
});

export type FormField = NonNullable<z.output<typeof fields>>[number];

const content = {
  description: clearableText(1000),
  fields,
  redirectAfterSubmit: clearableWebUrl(2000).optional(),
  thankYouMessage: clearableText(1000),
  submitLabel: clearableLabel(60),
  logoUrl: clearableWebUrl(500).optional(),
  theme,
  socials,
};

export const createFormBody = z.strictObject(
  described({ name: hostedName, status: hostedStatus.optional(), ...content }, formTexts),
);

export const updateFormBody = z.strictObject(
  described({ name: hostedName.optional(), status: hostedStatus.optional(), ...content }, formTexts),
);

export const deleteFormQuery = z.object(
  described({ purgeSubmissions: switchParameter().default(false) }, formQueryTexts),
);

/** The content as stored, without unset fields. */
export type FormContent = Stored<z.output<z.ZodObject<typeof content>>>;

const shownText = ownText().nullable();
const shownPart = ownText().optional();

const shownFields = z.array(
  z.object(
    described(
      {
        id: ownText(),
        type: z.enum(formFieldTypes),
        label: ownText(),
        options: z.array(ownText()).optional(),
        required: z.boolean(),
        helpText: shownPart,
        placeholder: shownPart,
        maxLength: z.int().optional(),
      },
      formFieldTexts,
    ),
  ),
);

/** With every field. Times are epoch milliseconds. */
export const formObject = z.object(
  described(
    {
      formId: ownText(),
      workspaceId: ownText(),
      name: ownText(),
      description: shownText,
      fields: shownFields,
      status: hostedStatus,
      redirectAfterSubmit: shownText,
      thankYouMessage: shownText,
      submitLabel: shownText,
      logoUrl: shownText,
      theme: shownTheme,
      socials: shownSocials,
      submissionCount: z.int(),
      createdAt: z.int(),
      updatedAt: z.int(),
    },
    { ...formTexts, ...formOwnTexts },
  ),
);

export type FormObject = z.output<typeof formObject>;

export const formList = z.object({
  forms: z.array(formObject).meta({ description: 'All forms of the workspace, newest first.' }),
});
