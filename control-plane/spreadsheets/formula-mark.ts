/**
 * The mark by which CSV says that a cell is text and no formula: an apostrophe in front of what spreadsheet programs would
 * calculate. That is a sign of formulas where a cell begins; and after `;`, a tab or an end of a line in it, where cells begin for a
 * program that separates by these. A text that has apostrophes of its own there gets one more, so that taking one off gives every
 * text back.
 */
const sign = '[=+\\-@＝＋－＠]';
/** Programs pass over these where a cell begins. */
const signOrBlank = '[=+\\-@\\t\\r＝＋－＠]';
/** Where a cell may begin within a text; quotes that follow are not in it. */
const beginning = '(?<=[;\\t\\r\\n]"*)';

/** The places where a mark belongs: before apostrophes and then what a program would calculate. */
const unmarked = new RegExp(`^(?='*${signOrBlank})|${beginning}(?='*${sign})`, 'g');
/** The marks. */
const marks = new RegExp(`^'(?='*${signOrBlank})|${beginning}'(?='*${sign})`, 'g');

export const withFormulaMark = (cell: string): string => cell.replace(unmarked, "'");

export const withoutFormulaMark = (cell: string): string => cell.replace(marks, '');
