/** An application identifier (AI) in the GS1 Barcode Syntax Dictionary. */

/** A part of a value. */
export interface Component {
  /** Characters: digits, set 82, set 39, or base64url. */
  set: 'N' | 'X' | 'Y' | 'Z';
  /** Characters, at least and at most. */
  min: number;
  max: number;
  isOptional?: true;
  /** Names of the rules for its content: values/content-rules.ts. */
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
  /** For a primary key: its qualifiers in their order after it, by alternative. */
  qualifiers?: readonly (readonly string[])[];
  /** At least one of these alternatives must be present in full; `n` is any digit. */
  requires?: readonly (readonly string[])[];
  /** None of these may be present; `n` is any digit. */
  excludes?: readonly string[];
}

/** The common facts of a range of identifiers. */
export interface EntryRange extends Entry {
  /** The last of them. */
  last?: string;
}
