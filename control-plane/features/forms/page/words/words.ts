/** The words of a form's page that are not its owner's. Every language has all of them. */

export interface FormWords {
  /** Above the fields, where some of them are required. `*` is what their labels end with. */
  requiredNote: string;
  /** The entry of a list by which nothing is chosen. */
  choose: string;
  send: string;
  sending: string;
  /** Beside a field for which its owner has set a bound. */
  charactersMax(characters: string): string;
  sent: { title: string; lead: string; again: string };
  /** Above what is refused. */
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
  /** Why nothing was stored, though no answer is at fault. */
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
  /** Above answers to fields that are gone. */
  gone: string;
  /** For those who meet the field that nobody should see. */
  trap: string;
  /** The button that sends again what is kept. */
  tryAgain: string;
}
