/** Properties of an exported link that its code would not have. None is dropped silently. */
import type { Cells } from './columns.ts';
import type { Fault } from './faults.ts';
import type { SourceName } from './sources.ts';

interface Loss {
  /** The column's name in the export. */
  column: string;
  /** Absent: any text that is not blank. */
  isLost?: (text: string) => boolean;
  /** The text after the column's name. */
  message: string;
  /** If true, the code is not made: it would lead elsewhere than its link. */
  isFault?: boolean;
  /** A column of the row that makes up for the loss. */
  unless?: keyof Cells;
}

/** Programs write false in these ways. */
const isTrue = (text: string): boolean => !/^(false|f|no|n|0|null)$/i.test(text);

const asksForPassword = {
  isLost: isTrue,
  isFault: true,
  unless: 'password',
} as const;

export const losses: Readonly<Record<SourceName, readonly Loss[]>> = {
  waymark: [
    {
      ...asksForPassword,
      column: 'passwordProtected',
      message:
        'says that the code asks for a password, which no export has, and the new code would be open; ' +
        'fill a column password, or write false here',
    },
    {
      column: 'encrypted',
      isLost: isTrue,
      isFault: true,
      message:
        'says that the code is encrypted: its content cannot be taken over; put the content in its row',
    },
    {
      column: 'status',
      isLost: (text) => text.toLowerCase() !== 'active',
      isFault: true,
      message:
        'says that the code is not active, and the new code would be; write active here if that is meant',
    },
    { column: 'archived', isLost: isTrue, message: 'is not taken over: lists show the new code' },
    { column: 'suspension', message: 'is not taken over: the new code leads to the destination' },
    { column: 'healthCheck', isLost: isTrue, message: 'is not taken over: the destination is not checked' },
    { column: 'routingRules', message: 'is not taken over: all scans lead to the destination' },
    { column: 'campaign', message: 'is not taken over: all scans lead to the destination' },
    { column: 'deepLinkConfig', message: 'is not taken over: no scan opens an app' },
    { column: 'aliases', message: 'is not taken over: an alias leads to one code' },
    { column: 'analytics', message: 'is not taken over: scans of the new code are recorded' },
    { column: 'messages', message: 'is not taken over: its ends have the messages of the workspace' },
    { column: 'sources', message: 'is not taken over: the new code has no sources' },
    { column: 'startsAt', message: 'is not taken over: the new code leads from the beginning' },
    { column: 'beforeStartUrl', message: 'is not taken over: the new code leads from the beginning' },
    { column: 'expiredUrl', message: 'is not taken over: after its end the new code shows a page' },
    { column: 'schedule', message: 'is not taken over: the destination of the new code stays' },
    { column: 'forwardQuery', message: 'is not taken over: the query of a scan is not forwarded' },
    { column: 'parameters', message: 'is not taken over: the new code adds no parameters' },
    { column: 'scanIdParameter', message: 'is not taken over: destinations do not get the id of a scan' },
  ],
  shlink: [
    { column: 'validUntil', message: 'is not taken over: the new code has no end' },
    { column: 'validSince', message: 'is not taken over: the new code leads from the beginning' },
    { column: 'maxVisits', message: 'is not taken over: the new code has no limit of scans' },
  ],
  yourls: [],
  kutt: [
    {
      ...asksForPassword,
      column: 'password',
      message:
        'says that the link asks for a password, which the export does not have, and the new code would be open; ' +
        'write false here, or name a column of passwords in mapping',
    },
    {
      column: 'banned',
      isLost: isTrue,
      isFault: true,
      message:
        'says that the link is banned, and the new code would lead on; write false here if that is meant',
    },
    { column: 'expire_in', message: 'is not taken over: the new code has no end' },
  ],
  bitly: [],
};

/** A column of the sheet that indicates a loss. */
export interface LossColumn {
  at: number;
  /** As in the sheet. */
  name: string;
  loss: Loss;
}

/** @returns the losses of the row: faults, and warnings */
export const lossesOf = (
  texts: readonly string[],
  cells: Cells,
  columns: readonly LossColumn[],
): { faults: Fault[]; warnings: string[] } => {
  const lost = columns.filter(({ at, loss: { isLost = () => true, unless } }) => {
    const text = texts[at];
    return text && isLost(text) && (unless === undefined || cells[unless] === undefined);
  });
  const said = ({ name, loss }: LossColumn): string => `${name} ${loss.message}`;
  return {
    faults: lost
      .filter(({ loss }) => loss.isFault)
      .map((each) => ({ column: each.name, message: said(each) })),
    warnings: lost.filter(({ loss }) => !loss.isFault).map(said),
  };
};
