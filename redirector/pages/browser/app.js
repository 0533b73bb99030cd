/**
 * Tries to open the app, at once and on a tap, and goes to its store or to the destination if the page is still in
 * front after a while: browsers do not tell a page whether a link opened an app. Every choice is also a plain link.
 */
const waitMs = 2000;
const words = JSON.parse(document.getElementById('data').textContent);
const status = document.querySelector('[role=status]');
const app = document.getElementById('app');
const next = document.getElementById('store') ?? document.getElementById('destination');
// Chromium opens apps only on a tap: if nothing happens before one, the app may still be installed.
const needsTap = /Chrome\//.test(navigator.userAgent);
let timer;

const goOn = (tapped) => {
  // The browser's own prompt to open the app has the focus while it is shown.
  if (!document.hasFocus() || (needsTap && !tapped)) {
    status.textContent = '';
  } else if (next) {
    status.textContent = words.notOpened;
    location.href = next.href;
  } else {
    status.textContent = words.notInstalled;
  }
};

const watch = (tapped) => {
  clearTimeout(timer);
  status.textContent = words.opening;
  timer = setTimeout(goOn, waitMs, tapped);
};

const opened = () => {
  clearTimeout(timer);
  status.textContent = '';
};

document.addEventListener('visibilitychange', () => document.hidden && opened());
addEventListener('pagehide', opened);
app.addEventListener('click', () => watch(true));

// The history entry remembers the attempt, so that a reader who comes back from the store can leave with Back.
// Not before the page has loaded: a navigation would abort the loading.
addEventListener('load', () => {
  if (history.state?.tried || timer !== undefined) return;
  history.replaceState({ tried: true }, '');
  watch(false);
  location.href = app.href;
});
