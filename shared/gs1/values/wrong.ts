/** A fault within a component. Messages are from GS1's checker. */
export interface Wrong {
  /** An index into the component. */
  position: number;
  message: string;
  expected: string;
}

/** Checks a component whose length and characters are valid. */
export type ContentRule = (text: string) => Wrong | undefined;

export const wrong = (position: number, message: string, expected: string): Wrong => ({
  position,
  message,
  expected,
});
