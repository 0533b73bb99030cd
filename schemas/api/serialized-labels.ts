/** The file for label printers: the query as the API takes it. */
import { itemFileQuery } from './serialized.ts';
import { switchParameter } from './text.ts';

export const labelFileQuery = itemFileQuery.extend({
  bom: switchParameter()
    .default(false)
    .describe(
      'Whether the file begins with a byte order mark. Excel needs it to recognise UTF-8. Label software ' +
        'takes it for a part of the first name.',
    ),
});
