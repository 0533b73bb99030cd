/** Checks the body of a row's create like any create, and words the faults in terms of the sheet. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { ClientError } from '#shared/errors.ts';
import { validateBody } from '../../../api/http/validation.ts';
import { preparePayload } from '../../codes/payload.ts';
import { type Cells, type ColumnName, dataColumns, type UploadType } from './columns.ts';
import { type Fault, RowRefusal } from './faults.ts';

/** Faults reported per row. */
const faultsMax = 5;
/** The paths of fields in a body, with their columns; longer paths first. */
const placesOf = (dataType: UploadType): [path: string, column: ColumnName][] => [
  ...(Object.entries(dataColumns[dataType] ?? {}) as [ColumnName, string][]).map(
    ([column, field]): [string, ColumnName] => [`data.${field}`, column],
  ),
  ['data', 'destination'],
  ['name', 'name'],
  ['password', 'password'],
  ['expiresAt', 'expiresAt'],
  ['maxScans', 'maxScans'],
  ['brandKitId', 'brandKitId'],
  ['externalId', 'externalId'],
  ['notes', 'notes'],
  ['folderId', 'folderId'],
];

/** Rewrites an API message that proposes a JSON object in terms of columns. */
const inColumns = (message: string, dataType: UploadType): string => {
  const own = Object.keys(dataColumns[dataType] ?? {});
  const fill = `fill ${own.join(', ')} instead`;
  if (own.length > 0)
    return message
      .replace(/(cannot be read as the dataType \w+: ).*$/s, `$1${fill}`)
      .replace(/( must begin with \S+)$/, `$1, or ${fill}`);
  return message.replace(/, or an object such as \{.*$/s, '');
};

const faultOf = (message: string, dataType: UploadType, cells: Cells): Fault => {
  // A tag's path has its place in the list.
  if (/^tags[ [.]/.test(message)) return { column: 'tags', message };
  const place = placesOf(dataType).find(([path]) => message.startsWith(`${path} `));
  if (place) {
    const [path, column] = place;
    const named = cells[column] === undefined && column === 'destination' ? dataType : column;
    return { column: named, message: `${named}${inColumns(message.slice(path.length), dataType)}` };
  }
  // Only the look remains, and its columns have been checked.
  return { column: 'styleJson', message: `styleJson.${message}` };
};

const faultsOf = (work: () => unknown, dataType: UploadType, cells: Cells): Fault[] => {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const messages = [error.message, ...(error.details ?? [])].slice(0, faultsMax);
    return messages.map((message) => faultOf(message, dataType, cells));
  }
};

/** @throws {RowRefusal} */
export const checkBody = (
  schema: ReturnType<typeof createCodeBodies>['row'],
  body: Record<string, unknown> & { dataType: UploadType; data: unknown },
  cells: Cells,
): void => {
  const { dataType } = body;
  const faults = faultsOf(() => validateBody(schema, body), dataType, cells);
  // The payload is prepared if the schema accepts it, even if it refuses other columns.
  const rest = { dataType, data: body.data };
  const isPayload =
    faults.length === 0 || faultsOf(() => validateBody(schema, rest), dataType, cells).length === 0;
  if (isPayload) faults.push(...faultsOf(() => preparePayload('data', dataType, body.data), dataType, cells));
  if (faults.length > 0) throw new RowRefusal(faults);
};
