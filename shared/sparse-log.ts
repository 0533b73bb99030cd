/** Lines that anybody could make us write without end: one for each thing that is said and interval, and how many were left out. */

/** Of different messages; beyond it all are forgotten, and their next lines are written. */
const messagesMax = 100;

/**
 * @param write is given the fields of the line that is written, and `leftOut`, the lines of this message since the last one
 *   that was
 */
export const createSparseLog = (
  write: (fields: object, message: string) => void,
  intervalMs = 10_000,
  nowMs = () => performance.now(),
) => {
  const said = new Map<string, { untilMs: number; leftOut: number }>();
  /** @param subject what lines are counted by */
  return (subject: string, fields: object, message: string): void => {
    const before = said.get(subject);
    if (before && nowMs() < before.untilMs) {
      before.leftOut++;
      return;
    }
    if (!before && said.size >= messagesMax) said.clear();
    said.set(subject, { untilMs: nowMs() + intervalMs, leftOut: 0 });
    write({ ...fields, ...(before?.leftOut && { leftOut: before.leftOut }) }, message);
  };
};
