/* Shows the times of the page, which are in UTC, in the visitor's zone. The format is as in formats.ts. */
{
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  });
  for (const time of document.querySelectorAll('time'))
    time.textContent = format
      .format(new Date(time.dateTime))
      .replace(/\b(\d{1,2}\.?)[ \u2009](?=\p{L})/gu, '$1\u00a0');
}
