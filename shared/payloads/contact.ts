/** A person or an organization, as a vCard or a MECARD describes one. Only a name is required. */

/** A number or address, and its use, such as `work`; empty when it has none. */
export interface Labelled {
  value: string;
  label: string;
}

export interface Contact {
  /** As it is written as a whole; never empty. */
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
