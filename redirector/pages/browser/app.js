/**
 * Tries the app, at once and by a tap, and goes on to its store or to the destination when the page is still in front
 * after a while: no browser tells a page whether a link opened an app. Every choice is a plain link as well.
 */
const waitMs = 2000;
const status = document.querySelector('[role=status]');
const app = document.getElementById('app');
const next = document.getElementById('store') ?? document.getElementById('destination');
// Chromium opens apps after a tap alone: that nothing happens before one does not mean that the app is missing.
const needsTap = /Chrome\//.test(navigator.userAgent);
let timer;

const goOn = (tapped) => {
  // The browser's own question whether to open the app has the focus while it is asked.
  if (!document.hasFocus() || (needsTap && !tapped)) {
    status.textContent = '';
  } else if (next) {
    status.textContent = 'The app did not open.';
    location.href = next.href;
  } else {
    status.textContent = 'The app did not open. Is it installed on this device?';
  }
};

const watch = (tapped) => {
  clearTimeout(timer);
  status.textContent = 'Opening the app …';
  timer = setTimeout(goOn, waitMs, tapped);
};

const opened = () => {
  clearTimeout(timer);
  status.textContent = '';
};

document.addEventListener('visibilitychange', () => document.hidden && opened());
addEventListener('pagehide', opened);
app.addEventListener('click', () => watch(true));

// A reader who comes back from the store has been there: the entry of the history remembers it, so that Back leads out.
// Not before the page is whole: a navigation would end its loading.
addEventListener('load', () => {
  if (history.state?.tried || timer !== undefined) return;
  history.replaceState({ tried: true }, '');
  watch(false);
  location.href = app.href;
});
