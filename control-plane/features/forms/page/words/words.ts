/** The words of a form's page that are not its owner's. Every language has all of them. */

export interface FormWords {
  /** Above the fields, if some are required. Their labels end with `*`. */
  requiredNote: string;
  /** The list entry for no choice. */
  choose: string;
  send: string;
  sending: string;
  /** Next to a field for which its owner has set a limit. */
  charactersMax(characters: string): string;
  sent: { title: string; lead: string; again: string };
  /** Above the errors. */
  check: string;
  faults: {
    required: string;
    chooseOne: string;
    tick: string;
    email: string;
    phone: string;
    option: string;
    several: string;
    tooLong(charactersMax: string, characters: string): string;
  };
  /** Why nothing was stored, although all answers are valid. */
  notices: {
    tooFast: string;
    trap: string;
    expired: string;
    changed: string;
    used: string;
    unavailable: string;
    offline: string;
    tooMany: string;
    closed: string;
    failed: string;
  };
  /** Above answers to fields that no longer exist. */
  gone: string;
  /** For visitors who encounter the hidden field. */
  trap: string;
  /** The button that sends the kept input again. */
  tryAgain: string;
}
