/*
 * Sends the form without leaving the page, so that no input is lost if there is no network. Without this script the
 * browser sends it, and gets a whole page.
 */
const form = document.getElementById('form');
const button = form.querySelector('button');
const buttonText = button.firstElementChild;
const summary = document.getElementById('summary');
const label = buttonText.textContent;
const triesMax = 3;
let sending = false;

const setSending = (value) => {
  sending = value;
  buttonText.textContent = value ? form.dataset.sending : label;
  if (value) button.setAttribute('aria-disabled', 'true');
  else button.removeAttribute('aria-disabled');
};

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* A group of radio buttons has its error as a whole. */
const markFault = (field, message) => {
  const text = document.getElementById(`e.${field.dataset.id}`);
  const marked = field.matches('fieldset') ? field : document.getElementById(`f.${field.dataset.id}`);
  text.textContent = message ?? '';
  text.hidden = message === undefined;
  if (message === undefined) marked.removeAttribute('aria-invalid');
  else marked.setAttribute('aria-invalid', 'true');
};

const entry = ({ field, label: name, message }) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const isolated = document.createElement('bdi');
  isolated.textContent = name;
  link.href = `#f.${field}`;
  link.append(isolated, ` – ${message}`);
  item.append(link);
  return item;
};

const show = (title, faults = []) => {
  const messages = new Map(faults.map(({ field, message }) => [field, message]));
  for (const field of form.querySelectorAll('[data-id]')) markFault(field, messages.get(field.dataset.id));
  summary.querySelector('h2').textContent = title;
  summary.querySelector('ul').replaceChildren(...faults.map(entry));
  summary.hidden = false;
  summary.focus();
  summary.scrollIntoView({ block: 'nearest' });
  setSending(false);
};

const post = async () => {
  const answer = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(new FormData(form)),
  });
  return { status: answer.status, body: await answer.json().catch(() => ({})) };
};

const titleOf = ({ status, body }) => {
  if (body.notice) return body.notice;
  if (status === 429) return form.dataset.tooMany;
  if (status === 404) return form.dataset.closed;
  return status >= 500 ? form.dataset.unavailable : form.dataset.failed;
};

/* What the thank-you page shows of an answer. */
const shownMax = 500;
const shorten = (text) => (text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text);

const labelOf = (element) =>
  [...element.childNodes]
    .filter((node) => !node.classList?.contains('star'))
    .map((node) => node.textContent)
    .join('');

/* Undefined for a field that was left empty, or whose content is not to be shown. */
const answerOf = (field) => {
  const box = field.querySelector('[type="checkbox"]');
  if (box) return box.checked ? [labelOf(box.nextElementSibling), '✓'] : undefined;
  const input = field.querySelector('[type="radio"]:checked, .box:not([type="password"], [type="file"])');
  return input?.value ? [labelOf(field.querySelector('.name')), input.value] : undefined;
};

/* For the thank-you page, which comes without the answers. Another page of the owner's gets none. */
const keepReceipt = (next) => {
  const path = new URL(form.action).pathname;
  if (new URL(next, location).pathname !== path) return;
  const answers = [...form.querySelectorAll('[data-id]')]
    .map(answerOf)
    .filter((answer) => answer !== undefined)
    .map((texts) => texts.map(shorten));
  try {
    sessionStorage.setItem(`receipt:${path}`, JSON.stringify({ at: Date.now(), answers }));
  } catch {
    /* A browser that keeps nothing for pages shows no receipt. */
  }
};

/* If the page was open for too short or too long, the script retries for the visitor. */
const send = async (tries) => {
  const answer = await post();
  const { token, retryAfterMs, location: next, faults } = answer.body;
  if (token) form.elements._token.value = token;
  if (answer.status === 200 && next) {
    keepReceipt(next);
    location.assign(next);
    return;
  }
  /* Its owner has changed the form: the answer has the whole current page. */
  if (answer.body.unknownFields) {
    form.submit();
    return;
  }
  if (retryAfterMs !== undefined && tries > 1) {
    await wait(retryAfterMs);
    await send(tries - 1);
    return;
  }
  if (faults?.length) show(form.dataset.check, faults);
  else show(titleOf(answer));
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (sending) return;
  setSending(true);
  send(triesMax).catch(() => show(form.dataset.offline));
});

/* A field being corrected is no longer marked as wrong. */
form.addEventListener('input', ({ target }) => {
  const field = target.closest('[data-id]');
  if (field) markFault(field, undefined);
});

/* Visitors who return by the browser's Back button may send again. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) setSending(false);
});
