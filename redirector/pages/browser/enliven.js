/**
 * Enhances a content page: copies texts, and shows times on the reader's own clock. Without script, texts can be
 * selected, and times say their zone.
 */

/** What the page says to its scripts. */
export const pageData = JSON.parse(document.getElementById('data').textContent);

/** @param {HTMLButtonElement} button its data-copy is the id of the element to copy */
const enableCopy = (button) => {
  const status = document.querySelector('[role=status]');
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const { textContent } = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(textContent);
      button.textContent = pageData.copied;
      status.textContent = pageData.copied;
      setTimeout(() => {
        button.textContent = label;
        status.textContent = '';
      }, 2500);
    } catch {
      status.textContent = pageData.copyFailed;
    }
  });
};

export const enliven = () => {
  // Absent if the page did not come over https.
  if (navigator.clipboard) {
    for (const button of document.querySelectorAll('button[data-copy]')) enableCopy(button);
  }

  // In the page's language, so that the whole page has one.
  for (const { dataset, firstChild } of document.querySelectorAll('[data-start]')) {
    const locale = pageData.language === 'en' ? undefined : pageData.language;
    const format = new Intl.DateTimeFormat(locale, {
      dateStyle: 'full',
      timeStyle: 'short',
      numberingSystem: 'latn',
    });
    const [start, end] = [new Date(dataset.start), new Date(dataset.end)];
    // As in unbroken.ts.
    firstChild.data = format
      .formatRange(start, end)
      .replace(/\b(\d{1,2}\.?)[ \u2009](?=\p{L})/gu, '$1\u00a0')
      .replace(/(:\d\d)\u2009\u2013\u2009(?=\d)/g, '$1\u202f\u2013\u202f')
      .replace(/(:\d\d)\u2013(?=\d)/g, '$1\u2060\u2013\u2060');
  }
};
