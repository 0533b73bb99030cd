/** The page on which a visitor reports a code. It works without a script. */
import { html } from 'hono/html';
import { abuseReasons } from '#schemas/api/abuse-reports.ts';
import type { Language } from '#shared/languages.ts';
import type { Html } from '#shared/pages/html.ts';
import { type RenderedPage, renderShell } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';

type ReportWords = Words['report'];

const main = (title: string, lead: string, body?: Html): Html =>
  html`<main class="page"><header class="top"><h1>${title}</h1><p class="sub">${lead}</p></header>${body}</main>`;

const reasonsOf = (words: ReportWords): Html[] =>
  abuseReasons.map(
    (reason) =>
      html`<p><label><input type="radio" name="reason" value="${reason}" required> ${words[reason]}</label></p>`,
  );

const formOf = (
  code: string,
  words: ReportWords,
): Html => html`<form method="post" action="/api/abuse-reports/form">
<p><label for="code">${words.code}</label><input id="code" name="code" value="${code}" required maxlength="2048" dir="ltr"></p>
<fieldset><legend>${words.reason}</legend>${reasonsOf(words)}</fieldset>
<p><label for="details">${words.details}</label><textarea id="details" name="details" maxlength="2000" rows="4"></textarea></p>
<p><label for="contact">${words.contact}</label><input id="contact" name="contact" maxlength="200"></p>
<button class="button primary">${words.send}</button>
</form>`;

/** @param code an id or a URL */
export const renderReportForm = (code: string, language: Language): RenderedPage => {
  const words = wordsOf[language].report;
  return renderShell({
    language,
    theme: {},
    title: words.title,
    body: main(words.title, words.lead, formOf(code, words)),
    formAction: "'self'",
  });
};

export const renderReported = (language: Language): RenderedPage => {
  const words = wordsOf[language].report;
  return renderShell({
    language,
    theme: {},
    title: words.sentTitle,
    body: main(words.sentTitle, words.sentLead),
  });
};
