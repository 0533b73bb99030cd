/** What the GS1 Barcode Syntax Dictionary says of an application identifier (AI). */

/** A part of a value. */
export interface Component {
  /** Characters: digits, set 82, set 39, or base64url. */
  set: 'N' | 'X' | 'Y' | 'Z';
  /** Characters, at least and at most. */
  min: number;
  max: number;
  isOptional?: true;
  /** Names of rules for its content: values/content-rules.ts. */
  rules?: readonly string[];
}

export interface Entry {
  ai: string;
  /** GS1's data title, such as USE BY. */
  title: string;
  /** Of predefined length: no separator follows. */
  isFixed?: true;
  /** Allowed in the query of a Digital Link. */
  isAttribute?: true;
  components: readonly Component[];
  /** Of a primary key: its qualifiers in the order in which they follow it, by alternative. */
  qualifiers?: readonly (readonly string[])[];
  /** Of which at least one is there whole; `n` is any digit. */
  requires?: readonly (readonly string[])[];
  /** Of which none may be there; `n` is any digit. */
  excludes?: readonly string[];
}

/** What is the same for all identifiers from one to another. */
export interface EntryRange extends Entry {
  /** The last of them. */
  last?: string;
}
