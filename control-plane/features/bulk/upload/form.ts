/** The form of an upload. */
import { z } from 'zod';
import { rowLogo } from '#schemas/api/row-logo.ts';
import { styleFields, whyStyleRefused } from '#schemas/api/style.ts';
import { uploadFields } from '#schemas/api/upload.ts';
import { ClientError } from '#shared/errors.ts';
import { type MultipartLimit, uploadedFile } from '../../../api/http/multipart.ts';
import { validateBody } from '../../../api/http/validation.ts';
import { columnNames } from './columns.ts';
import { parseSmall } from './small-json.ts';

/** A sheet of 500 rows needs a tenth of it, unless it has logos in its cells. */
export const uploadLimit: MultipartLimit = {
  fileBytesMax: 10 * 2 ** 20,
  fieldBytesMax: 256 * 2 ** 10,
  fieldsMax: 3,
};

export const uploadForm = z.strictObject({
  file: uploadedFile.meta({
    description: 'CSV or XLSX, with a header in its first row, or a list of web addresses.',
  }),
  ...uploadFields,
});

export type UploadForm = z.output<typeof uploadForm>;

const parsed = (field: string, text: string): unknown =>
  parseSmall(text, (what, cause) => {
    throw new ClientError('INVALID_REQUEST', `${field} ${what}`, { cause });
  });

const formStyle = z.strictObject({
  style: z
    .strictObject({ ...styleFields, image: rowLogo.optional() })
    .superRefine((style, context) => {
      const message = whyStyleRefused(style);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['brandKitId'], message });
    })
    .default({}),
});

const mappedMax = 100;

const formMapping = z.strictObject({
  mapping: z
    .record(z.string(), z.enum([...columnNames, 'oldLink']))
    .refine((mapping) => Object.keys(mapping).length <= mappedMax, `must name at most ${mappedMax} columns`)
    .optional(),
});

/** @throws {ClientError} INVALID_REQUEST or UNPROCESSABLE naming `style` or `mapping` */
export const readForm = ({ style, mapping }: Pick<UploadForm, 'style' | 'mapping'>) => ({
  ...validateBody(formStyle, style === undefined ? {} : { style: parsed('style', style) }),
  ...validateBody(formMapping, mapping === undefined ? {} : { mapping: parsed('mapping', mapping) }),
});
