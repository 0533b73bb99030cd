/**
 * Enhances a content page: copies texts, and shows times on the reader's own clock. Without script, texts can be
 * selected, and times say their zone.
 */

/** @param {HTMLButtonElement} button its data-copy is the id of the element to copy */
const enableCopy = (button) => {
  const status = document.querySelector('[role=status]');
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const { textContent } = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(textContent);
      button.textContent = 'Copied';
      status.textContent = 'Copied.';
      setTimeout(() => {
        button.textContent = label;
        status.textContent = '';
      }, 2500);
    } catch {
      status.textContent = 'Your browser does not allow copying here: please select the text instead.';
    }
  });
};

export const enliven = () => {
  // Absent if the page did not come over https.
  if (navigator.clipboard) {
    for (const button of document.querySelectorAll('button[data-copy]')) enableCopy(button);
  }

  for (const { dataset, firstChild } of document.querySelectorAll('[data-start]')) {
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
    const [start, end] = [new Date(dataset.start), new Date(dataset.end)];
    firstChild.data = format.formatRange(start, end);
  }

  // Safari does not support geo: links; Apple's maps have their own.
  if (/iPhone|iPad|iPod/.test(navigator.userAgent)) {
    for (const link of document.querySelectorAll('a[data-ios]')) link.href = link.dataset.ios;
  }
};
