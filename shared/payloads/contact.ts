/** A person or an organization, as a vCard or a MECARD describes one. Everything may be missing but a name. */

/** A number or address, and what it is for, such as `work`; empty when nothing is said. */
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
