/** Documentation shared by every operation on a code. */

export const dynamicCodesTag = 'Dynamic codes';

/** The id in the path. */
export const codeIdParam = {
  id: { description: 'The last part of the code’s `redirectUrl`', example: 'nX5cPq7Rk' },
};
