/**
 * Exports of other services, by column names. Bitly: the CSV of its list of links, and of its API. Shlink: the export
 * of its web client. Kutt: the fields of its API. YOURLS: the columns of its table, as its export plugins write them.
 * Waymark: our own.
 */
import { uploadSources } from '#schemas/api/upload.ts';
import { plain } from '../../../platform/spreadsheets/plain-name.ts';

export type SourceName = (typeof uploadSources)[number];

/** Column names; if several columns hold something, the first one listed wins. */
interface Source {
  title: string;
  destination: readonly string[];
  name: readonly string[];
  oldLink: readonly string[];
  /** Separated by |. */
  tags?: string;
  /** It also has the columns of an upload. Otherwise they are ignored: Kutt's `password` is a flag, not a password. */
  hasOwnColumns?: boolean;
}

/** In the order of detection: Bitly and Shlink both have a long URL. */
export const sources: Readonly<Record<SourceName, Source>> = {
  waymark: {
    title: 'Waymark',
    destination: ['destination'],
    name: ['name'],
    oldLink: ['redirectUrl', 'id'],
    hasOwnColumns: true,
  },
  shlink: {
    title: 'Shlink',
    destination: ['longUrl'],
    name: ['title'],
    oldLink: ['shortUrl', 'shortCode'],
    tags: 'tags',
  },
  yourls: { title: 'YOURLS', destination: ['url'], name: ['title'], oldLink: ['keyword'] },
  kutt: { title: 'Kutt', destination: ['target'], name: ['description'], oldLink: ['link', 'address'] },
  bitly: {
    title: 'Bitly',
    destination: ['Destination URL', 'long_url', 'Original URL'],
    name: ['title'],
    oldLink: ['Custom Link', 'Link', 'Bitlink', 'Short link'],
  },
};

/** A column that tells an export from others with a long URL. */
const tellTale: Partial<Record<SourceName, string>> = { waymark: 'redirectUrl', shlink: 'shortCode' };

/** @param header of the sheet @returns the service that exported it, judging by the columns */
export const recognise = (header: readonly string[]): SourceName | undefined => {
  const given = new Set(header.map(plain));
  const hasOne = (names: readonly string[]) => names.some((name) => given.has(plain(name)));
  return uploadSources.find((source) => {
    const { destination, oldLink } = sources[source];
    const tale = tellTale[source];
    // With a destination it is a sheet of ours, whatever other columns it has.
    if (given.has('destination') && source !== 'waymark') return false;
    return hasOne(destination) && hasOne(oldLink) && (tale === undefined || given.has(plain(tale)));
  });
};
