/** A fault within a component. Messages are those of GS1's checker. */
export interface Wrong {
  /** An index into the component. */
  position: number;
  message: string;
  expected: string;
}

/** Checks a component of the length and the characters that it may have. */
export type ContentRule = (text: string) => Wrong | undefined;

export const wrong = (position: number, message: string, expected: string): Wrong => ({
  position,
  message,
  expected,
});
