/** The page on which a visitor reports a code. It works without a script. */
import { html } from 'hono/html';
import { abuseReasons } from '#schemas/api/abuse-reports.ts';
import type { Language } from '#shared/languages.ts';
import { readStyle } from '#shared/pages/assets.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { messageBlock } from '#shared/pages/message.ts';
import { type RenderedPage, renderShell } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import { controlStyle, fieldStyle } from '../hosted/layout/index.ts';

const reportStyle = readStyle(new URL('./report.css', import.meta.url));

type ReportWords = Words['report'];

const reasonsOf = (words: ReportWords): Html[] =>
  abuseReasons.map(
    (reason) =>
      html`<label class="choice"><input type="radio" name="reason" value="${reason}" required><span>${words[reason]}</span></label>`,
  );

const formOf = (
  code: string,
  words: ReportWords,
): Html => html`<form method="post" action="/api/abuse-reports/form">
<div class="field"><label class="name" for="code">${words.code}</label><input class="box" id="code" name="code" value="${code}" required maxlength="2048" dir="ltr"></div>
<fieldset class="field"><legend class="name">${words.reason}</legend><div class="choices">${reasonsOf(words)}</div></fieldset>
<div class="field"><label class="name" for="details">${words.details}</label><textarea class="box" id="details" name="details" maxlength="2000" rows="4"></textarea></div>
<div class="field"><label class="name" for="contact">${words.contact}</label><input class="box" id="contact" name="contact" maxlength="200"></div>
<button class="button primary">${words.send}</button>
</form>`;

/** @param code an id or a URL */
export const renderReportForm = (code: string, language: Language): RenderedPage => {
  const words = wordsOf[language].report;
  return renderShell({
    language,
    theme: {},
    title: words.title,
    body: html`<main class="page"><header class="top"><h1>${words.title}</h1><p class="sub">${words.lead}</p></header>${formOf(code, words)}</main>`,
    styles: [controlStyle, fieldStyle, reportStyle],
    formAction: "'self'",
  });
};

export const renderReported = (language: Language): RenderedPage => {
  const words = wordsOf[language].report;
  return renderShell({
    language,
    theme: {},
    title: words.sentTitle,
    body: messageBlock(icons.done, { title: words.sentTitle, lead: words.sentLead }),
  });
};
