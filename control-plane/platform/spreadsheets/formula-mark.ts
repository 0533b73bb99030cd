/**
 * The mark that makes a CSV cell text instead of a formula: an apostrophe in front of anything that spreadsheet
 * programs would calculate. That is a formula sign at the start of a cell, and after `;`, a tab or a line end within
 * it, where cells begin for programs that separate by these. If the text already has apostrophes there, one more is
 * added, so that stripping one restores every text.
 */
const sign = '[=+\\-@＝＋－＠]';
/** Programs skip these at the start of a cell. */
const signOrBlank = '[=+\\-@\\t\\r＝＋－＠]';
/** A start of a cell within a text, with the quotes that follow it. Looking back for it would take the square of a text of quotes. */
const beginning = '([;\\t\\r\\n]"*)';

/** Before apostrophes followed by anything that a program would calculate: at the start, and within. */
const unmarkedStart = new RegExp(`^(?='*${signOrBlank})`);
const unmarked = new RegExp(`${beginning}(?='*${sign})`, 'g');
/** The marks. */
const markAtStart = new RegExp(`^'(?='*${signOrBlank})`);
const marks = new RegExp(`${beginning}'(?='*${sign})`, 'g');

export const withFormulaMark = (cell: string): string => {
  const marked = cell.replace(unmarked, "$1'");
  return unmarkedStart.test(cell) ? `'${marked}` : marked;
};

export const withoutFormulaMark = (cell: string): string => {
  const text = cell.replace(marks, '$1');
  return markAtStart.test(cell) ? text.slice(1) : text;
};
