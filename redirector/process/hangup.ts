/**
 * SIGHUP, which would end a process that does not handle it. The redirector's processes handle it from their first
 * step: a primary replaces its workers, even for a signal that came during its start; a worker acts only on its
 * primary's messages.
 */
let came = false;
let handle: (() => void) | undefined;

process.on('SIGHUP', () => {
  if (handle) handle();
  else came = true;
});

/** Calls `handler` for each SIGHUP from now on, and at once if one has come before. */
export const onHangup = (handler: () => void): void => {
  handle = handler;
  if (came) handler();
};
