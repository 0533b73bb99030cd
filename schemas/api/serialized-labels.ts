/** The file for label printers: the query as the API takes it. */
import { described } from './described.ts';
import { itemFileQuery } from './serialized.ts';
import { switchParameter } from './text.ts';

export const labelFileQuery = itemFileQuery.extend(
  described(
    { bom: switchParameter().default(false) },
    {
      bom: 'Whether the file begins with a byte order mark, by which Excel knows UTF-8. Label software takes it for a part of the first name.',
    },
  ),
);
