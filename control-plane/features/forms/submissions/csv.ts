/** Submissions as a table: one column per field of the current form. */
import type { FormField } from '#schemas/api/forms.ts';
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import { type Cell, csvHeader, csvLines } from '../../../platform/spreadsheets/csv.ts';
import type { Submission } from './submission.ts';

const before = ['submissionId', 'createdAt'] as const;
/** `otherValues` has, as JSON, the values of fields that the form no longer has. */
const after = ['ip', 'userAgent', 'referrer', 'otherValues'] as const;

/** The label of each field, with its id if another column has the same name, so that names are unique. */
const fieldColumns = (fields: readonly FormField[]): string[] => {
  const labels = fields.map(({ label }) => label);
  const taken = new Set<string>([...before, ...after]);
  return fields.map(({ id, label }) => {
    const isDoubled = labels.indexOf(label) !== labels.lastIndexOf(label);
    let name = isDoubled ? `${label} (${id})` : label;
    while (taken.has(name)) name += ` (${id})`;
    taken.add(name);
    return name;
  });
};

const otherValues = (fields: readonly FormField[], values: Submission['values']): Cell => {
  const ids = new Set(fields.map(({ id }) => id));
  const others = Object.entries(values).filter(([id]) => !ids.has(id));
  return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others));
};

/** A submission older than a field has an empty cell there. */
const rowOf =
  (fields: readonly FormField[]) =>
  ({ id, createdAt, values, ip, userAgent, referrer }: Submission): Cell[] => [
    id,
    createdAt.toISOString(),
    ...fields.map((field) => (Object.hasOwn(values, field.id) ? values[field.id]! : null)),
    ip,
    userAgent,
    referrer,
    otherValues(fields, values),
  ];

export async function* submissionsCsv(
  fields: readonly FormField[],
  pages: AsyncIterable<readonly Submission[]>,
): AsyncGenerator<Piece> {
  let start = csvHeader([...before, ...fieldColumns(fields), ...after]);
  const textOf = (submissions: readonly Submission[]): string => {
    const text = start + csvLines(submissions.map(rowOf(fields)));
    start = '';
    return text;
  };
  for await (const page of pages) yield* inPieces(page, textOf);
  yield () => start;
}
