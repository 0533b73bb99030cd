/** What a link of an export has, and the code that is made of it would not have. Nothing of that goes silently. */
import type { Cells } from './columns.ts';
import type { Fault } from './faults.ts';
import type { SourceName } from './sources.ts';

interface Loss {
  /** The name of the column in the export. */
  column: string;
  /** Absent: whatever is not blank. */
  isLost?: (text: string) => boolean;
  /** What follows the name of the column. */
  message: string;
  /** A code that leads where its link did not is not made. */
  isFault?: boolean;
  /** What makes good for it where the row has it. */
  unless?: keyof Cells;
}

/** How programs write that something is not so. */
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
    { column: 'routingRules', message: 'is not taken over: all scans lead to the destination' },
    { column: 'campaign', message: 'is not taken over: all scans lead to the destination' },
    { column: 'deepLinkConfig', message: 'is not taken over: no scan opens an app' },
    { column: 'sources', message: 'is not taken over: the new code has no sources' },
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

/** A column of the sheet that tells of a loss. */
export interface LossColumn {
  at: number;
  /** As the sheet names it. */
  name: string;
  loss: Loss;
}

/** @returns what the row would lose: faults, and warnings */
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
