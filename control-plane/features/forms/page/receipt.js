/*
 * Shows the answers that the page of the form has kept for this one, once. The page that the server sends is the same
 * for everybody, and without this script it is complete.
 */
const receipt = document.getElementById('receipt');
const keptMsMax = 3600000;

/* Undefined if nothing is kept, or if the browser keeps nothing for pages. */
const takeKept = () => {
  try {
    const key = `receipt:${receipt.dataset.form}`;
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return kept ? JSON.parse(kept) : undefined;
  } catch {
    return undefined;
  }
};

const line = (name, text) => {
  const element = document.createElement(name);
  element.dir = 'auto';
  element.textContent = text;
  return element;
};

const showReceipt = ({ at, answers }) => {
  if (Date.now() - at > keptMsMax || answers.length === 0) return;
  const lines = answers.flatMap(([label, answer]) => [line('dt', label), line('dd', answer)]);
  receipt.querySelector('dl').append(...lines);
  receipt.hidden = false;
};

const kept = takeKept();
if (kept) showReceipt(kept);
