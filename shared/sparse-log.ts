/** Limits log lines that strangers can trigger: one per subject and interval, with the number of suppressed lines. */

/** Subjects that are remembered; beyond that all are forgotten, and their next lines are written. */
const messagesMax = 100;

/**
 * @param write gets the fields of the line, and `leftOut`, the number of its subject's lines suppressed since the last
 * one
 */
export const createSparseLog = (
  write: (fields: object, message: string) => void,
  intervalMs = 10_000,
  nowMs = () => performance.now(),
) => {
  const said = new Map<string, { untilMs: number; leftOut: number }>();
  /** @param subject lines with the same subject count as the same */
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
