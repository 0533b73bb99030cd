/** Documentation shared by every operation on a code. */

export const dynamicCodesTag = 'Dynamic codes';

/** The id in the path. */
export const codeIdParam = {
  id: { description: 'The id of the code: the last part of its `redirectUrl`.', example: 'nX5cPq7Rk' },
};
