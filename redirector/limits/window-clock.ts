/** The number of the current window of time. Dividing the time for every scan would cost more than counting the scan. */

/**
 * A scan may be counted seconds after it came, when the next window has begun: it counts there, since a window that is
 * over is not begun again. A clock that goes back by more than a window was set back.
 * @param onSetBack called then
 * @returns the number of the window at a time
 */
export const createWindowClock = (windowMs: number, onSetBack: () => void): ((nowMs: number) => number) => {
  let window = 0;
  let endsMs = 0;
  return (nowMs) => {
    const isSetBack = nowMs < endsMs - 2 * windowMs;
    if (isSetBack) onSetBack();
    if (isSetBack || nowMs >= endsMs) {
      window = Math.floor(nowMs / windowMs);
      endsMs = (window + 1) * windowMs;
    }
    return window;
  };
};
