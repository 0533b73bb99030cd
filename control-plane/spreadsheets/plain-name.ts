/** The name of a column without what people write differently: case, blanks, hyphens, and marks that nobody sees. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_\-.\uFEFF\u200B]/g, '');
