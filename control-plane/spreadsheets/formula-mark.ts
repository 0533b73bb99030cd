/**
 * The mark that makes a CSV cell text instead of a formula: an apostrophe in front of anything that spreadsheet
 * programs would calculate. That is a formula sign at the start of a cell, and after `;`, a tab or a line end within
 * it, where cells begin for programs that separate by these. If the text already has apostrophes there, one more is
 * added, so that stripping one restores every text.
 */
const sign = '[=+\\-@＝＋－＠]';
/** Programs skip these at the start of a cell. */
const signOrBlank = '[=+\\-@\\t\\r＝＋－＠]';
/** The possible starts of cells within a text, not counting quotes that follow. */
const beginning = '(?<=[;\\t\\r\\n]"*)';

/** The places for a mark: before apostrophes followed by anything that a program would calculate. */
const unmarked = new RegExp(`^(?='*${signOrBlank})|${beginning}(?='*${sign})`, 'g');
/** The marks. */
const marks = new RegExp(`^'(?='*${signOrBlank})|${beginning}'(?='*${sign})`, 'g');

export const withFormulaMark = (cell: string): string => cell.replace(unmarked, "'");

export const withoutFormulaMark = (cell: string): string => cell.replace(marks, '');
