/** A person or an organization, as described by a vCard or MECARD. Only a name is required. */

/** A number or address, and its use, such as `work`; empty without one. */
export interface Labelled {
  value: string;
  label: string;
}

export interface Contact {
  /** The full name as written; never empty. */
  name: string;
  firstName: string;
  lastName: string;
  organization: string;
  title: string;
  phones: readonly Labelled[];
  emails: readonly Labelled[];
  websites: readonly string[];
  /** Each on one or more lines. */
  addresses: readonly Labelled[];
  note: string;
}
