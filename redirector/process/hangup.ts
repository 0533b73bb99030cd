/**
 * SIGHUP, which ends a process that does not listen. The redirector's processes listen from their first step: a primary replaces its
 * workers, also for a signal that came while it started; a worker is told by its primary alone.
 */
let came = false;
let handle: (() => void) | undefined;

process.on('SIGHUP', () => {
  if (handle) handle();
  else came = true;
});

/** Calls it for each SIGHUP from now on, and at once if one has come before. */
export const onHangup = (handler: () => void): void => {
  handle = handler;
  if (came) handler();
};
