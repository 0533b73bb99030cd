/** A column's name without the parts that people write differently: case, blanks, hyphens and invisible characters. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_\-.\uFEFF\u200B]/g, '');
