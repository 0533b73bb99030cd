/** The words of the verification page, which every language has. */

/** What the page says at a glance, and what a buyer does about it. */
export interface StateWords {
  title: string;
  lead: string;
  advice: readonly string[];
}

export interface VerificationWords {
  authentic: StateWords;
  scannedBefore: StateWords;
  /** Its title has `{ago}`. It says what is likely, and nothing that reassures: a seller's device may look the same. */
  sameDevice: StateWords;
  notGenuine: StateWords;
  notKnown: StateWords;
  recalled: StateWords;
  stolen: StateWords;
  unavailable: StateWords;
  /** For link previews and whoever else does not verify. */
  neutral: StateWords;
  rateLimited: StateWords;

  /** Advice on a code that was scanned before, also under a notice: a recalled product may be a copy. */
  copyWarning: string;
  /** Above the advice. */
  meaning: string;
  product: string;
  sku: string;
  gtin: string;
  item: string;
  /** With `{brand}`. */
  issuedFor: string;
  /** Where the brand is not told. */
  issuedForUnnamed: string;
  /** Above the history of the code. */
  scans: string;
  firstScan: string;
  country: string;
  unknownCountry: string;
  /** The label of a number, which includes this scan. */
  scanCount: string;
  /** In the place of "2 minutes ago". */
  justNow: string;
  /** With `{date}`. */
  checkedOn: string;
  hostTitle: string;
  /** How to tell this page from a copy of it: by what the page itself does not say, since a copy would say its own. */
  hostText: string;
}

export type VerificationState = {
  [Key in keyof VerificationWords]: VerificationWords[Key] extends StateWords ? Key : never;
}[keyof VerificationWords];
