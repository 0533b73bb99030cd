/**
 * The mark by which CSV says that a cell is text and no formula: an apostrophe in front of what spreadsheet programs would
 * calculate. A text that has such a sign after apostrophes of its own gets one more, so that taking one off gives every text back.
 */
const markedFormula = /^'+[=+\-@\t\r＝＋－＠]/;

/** Whether taking off the mark would change the cell. */
export const isMarkedFormula = (cell: string): boolean => markedFormula.test(cell);

export const withoutFormulaMark = (cell: string): string => (isMarkedFormula(cell) ? cell.slice(1) : cell);

/** What a spreadsheet program would calculate, or would take for a mark. */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;

export const withFormulaMark = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);
