/** A link of another service, as its vendor's reader finds it. */
import type { ImportReason } from '#schemas/api/imports.ts';
import type { ErrorCode } from '#shared/errors.ts';

/** One of the short paths by which a link is printed. */
export interface ShortLink {
  /** As it stands in the path, decoded. */
  slug: string;
  /** Null: the file does not name it. */
  host: string | null;
}

/** Why a link cannot become a code. */
export interface LinkRefusal {
  reason: ImportReason;
  code: ErrorCode;
  message: string;
}

export interface Link {
  /** In the file, see {@link SpreadsheetRow}. */
  number: number;
  /** The first one is that by which the link is known. */
  shortLinks: ShortLink[];
  destination: string;
  name: string | null;
  tags: string[];
  archived: boolean;
  /** ISO 8601; null: not known. */
  createdAt: string | null;
  /** ISO 8601, in the future when it was read; null: never. */
  expiresAt: string | null;
  /** As the service has counted; null: not known. */
  scans: number | null;
  externalId: string | null;
  warnings: string[];
  /** Found by the reader. */
  refusal: LinkRefusal | null;
  /** Another row, by its number, that has the same of one thing. Null: no row has. */
  twin: { number: number; by: 'slug' | 'case' | 'externalId' } | null;
}

/** The cells of a row by the plain names of their columns. A column that the file lacks is an empty text. */
export type Cells = (name: string) => string;

/** What a vendor's reader says of a row; absent fields are not known. */
export interface Found {
  shortLinks: ShortLink[];
  destination: string;
  title?: string;
  tags?: readonly string[];
  archived?: boolean;
  createdAt?: string;
  expiresAt?: string;
  scans?: string;
  externalId?: string;
  refusal?: LinkRefusal;
}

/** How the file of a service is read. */
export interface Vendor {
  /** Of the service. */
  title: string;
  /** Hosts of the service itself: no DNS of a customer leads them elsewhere. */
  ownHosts: readonly string[];
  /** Sets of columns by each of which a file is recognised. */
  tellTales: readonly (readonly string[])[];
  /** Every column that is read: they reveal the delimiter of a file. */
  columns: readonly string[];
  /** The columns of a file without a header, in their order. */
  columnsWithoutHeader?: readonly string[];
  /** What is assumed of every file. */
  notes?: readonly string[];
  read(cells: Cells): Found;
}
