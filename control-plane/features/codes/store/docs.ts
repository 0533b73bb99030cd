/** Documentation shared by every operation on a code. */

import { externalNameLengthMax } from './external-ids.ts';

export const dynamicCodesTag = 'Dynamic codes';

/** The id in the path. */
export const codeIdParam = {
  id: {
    description:
      'The id of the code: the last part of its `redirectUrl`. Or `ext_` and its `externalId`, URL-encoded.',
    example: 'nX5cPq7Rk',
    lengthMax: externalNameLengthMax,
  },
};
