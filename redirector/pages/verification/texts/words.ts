/** The words of the verification page, which every language has. */

/** The page's message at a glance, and its advice to buyers. */
export interface StateWords {
  title: string;
  lead: string;
  advice: readonly string[];
}

export interface VerificationWords {
  authentic: StateWords;
  scannedBefore: StateWords;
  /** Its title has `{ago}`. It only calls this likely, and does not reassure: a seller's device may look the same. */
  sameDevice: StateWords;
  notGenuine: StateWords;
  notKnown: StateWords;
  recalled: StateWords;
  stolen: StateWords;
  unavailable: StateWords;
  /** For link previews and other visitors that do not verify. */
  neutral: StateWords;
  rateLimited: StateWords;

  /** Advice on a code that was scanned before, even under a notice: a recalled product may be a copy. */
  copyWarning: string;
  /** Above the advice. */
  meaning: string;
  product: string;
  sku: string;
  gtin: string;
  item: string;
  /** With `{brand}`. */
  issuedFor: string;
  /** If the brand is not given. */
  issuedForUnnamed: string;
  /** Above the history of the code. */
  scans: string;
  firstScan: string;
  country: string;
  unknownCountry: string;
  /** The label of a number, which includes this scan. */
  scanCount: string;
  /** In place of "2 minutes ago". */
  justNow: string;
  /** With `{date}`. */
  checkedOn: string;
  hostTitle: string;
  /** How to tell this page from a copy: by something that is not on the page, because a copy could repeat it. */
  hostText: string;
}

export type VerificationState = {
  [Key in keyof VerificationWords]: VerificationWords[Key] extends StateWords ? Key : never;
}[keyof VerificationWords];
