/** The page of a form: its fields, a visitor's input, and the thanks. Pure, and complete without JavaScript. */

import { html, raw } from 'hono/html';
import type { FormContent } from '#schemas/api/forms.ts';
import { formTokenField } from '#shared/form-token.ts';
import type { Language } from '#shared/languages.ts';
import { readScript, readStyle } from '#shared/pages/assets.ts';
import { filled } from '#shared/pages/filled.ts';
import { escaped, escapeText, type Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { messageBlock } from '#shared/pages/message.ts';
import type { RenderedPage, ShellParts } from '#shared/pages/shell.ts';
import { type Words, wordsOf } from '#shared/pages/words.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';
import {
  controlStyle,
  createPictures,
  detectLanguage,
  fieldStyle,
  linkOf,
  mapInSteps,
  ownerStyle,
  type Pictures,
  pageFooter,
  paragraphs,
  renderHosted,
  socialRow,
  storedLanguage,
} from '../../hosted/layout/index.ts';
import { fillMarker, type RenderContext } from '../../hosted/page-kind.ts';
import { fieldAnchor, isScale, renderField, tickValue } from './field.ts';
import { type FaultText, type Form, faultTexts, type Returned } from './shown-form.ts';

const readOwn = (name: string): string => readStyle(new URL(`./${name}`, import.meta.url));
const style = fieldStyle + readOwn('form.css');
const scaleStyle = readOwn('scale.css');
const thanksStyle = readOwn('thanks.css');
const script = readScript(new URL('./form.js', import.meta.url));
const receiptScript = readScript(new URL('./receipt.js', import.meta.url));

/** The name of an input that is no field: one that invites programs to fill it in. */
export const trapName = '_subject';

type Shown = Pick<RenderContext, 'url' | 'images' | 'visitorLanguage'>;

/** @returns undefined if the texts are not clearly of one language */
export const languageOfForm = (form: Pick<Form, 'name' | 'content' | 'language'>): Language | undefined =>
  storedLanguage(form, () => {
    const { fields, description, thankYouMessage, submitLabel } = form.content;
    const labels = fields.flatMap(({ label, helpText, options = [] }) => [label, helpText, ...options]);
    return detectLanguage([description, thankYouMessage, ...labels, submitLabel, form.name]);
  });

/** form-action also applies to the redirect after a form's POST, and to further redirects of its target. */
const formActionOf = ({ redirectAfterSubmit }: FormContent): string =>
  redirectAfterSubmit === undefined ? "'self'" : "'self' https: http:";

const logo = ({ logoUrl }: FormContent, pictures: Pictures): Html | undefined =>
  logoUrl === undefined
    ? undefined
    : pictures.picture(logoUrl, { box: 'logo', sizes: '192px', alt: '', order: 'first' });

/** Gets the focus if there are errors. Each entry leads to its field. */
const summary = (faults: readonly FaultText[], returned: Returned | undefined, language: Language): Html => {
  const { check, notices } = wordsOf[language].form;
  const title = returned?.notice ? notices[returned.notice] : check;
  return html`<div class="summary" id="summary" role="group" tabindex="-1" aria-labelledby="summary-title"${returned ? html` autofocus` : html` hidden`}>
<h2 id="summary-title">${returned && title}</h2>
<ul>${faults.map(
    ({ field, label, message }) =>
      html`<li><a href="${fieldAnchor(field)}"><bdi>${escaped(label)}</bdi> – ${message}</a></li>
`,
  )}</ul>
</div>
`;
};

/**
 * Answers that can no longer be sent: visitors can copy them from here. Without the field its label is not known, and its
 * id says nothing to them. A tick has no text to be copied.
 */
const goneBlock = ({ gone }: Returned, language: Language): Html | false => {
  const answers = [...(gone?.values() ?? [])].filter((answer) => answer !== tickValue);
  if (answers.length === 0) return false;
  const items = answers.map((answer) => `<li dir="auto">${escapeText(answer)}</li>\n`);
  return html`<div class="gone">
<p>${wordsOf[language].form.gone}</p>
<ul role="list">${raw(items.join(''))}</ul>
</div>
`;
};

/** Messages that the script shows without an answer of the server. */
const scriptWords = (language: Language): Html => {
  const { sending, check, notices } = wordsOf[language].form;
  const { offline, unavailable, tooMany, closed, failed } = notices;
  return html` data-sending="${sending}" data-check="${check}" data-offline="${offline}" data-unavailable="${unavailable}" data-too-many="${tooMany}" data-closed="${closed}" data-failed="${failed}"`;
};

const trap = (language: Language): Html =>
  html`<p class="trap" aria-hidden="true"><label>${wordsOf[language].form.trap} <input name="${trapName}" tabindex="-1" autocomplete="off"></label></p>
`;

const formBody = async (
  { content }: Form,
  url: string,
  language: Language,
  returned: Returned | undefined,
): Promise<Html> => {
  const words = wordsOf[language].form;
  const faults = returned ? faultTexts(content.fields, returned.faults, language) : [];
  const faultOf = new Map(faults.map(({ field, message }) => [field, message]));
  const values = returned?.values ?? {};
  const fields = await mapInSteps(content.fields, (field) =>
    String(
      renderField({
        field,
        value: Object.hasOwn(values, field.id) ? values[field.id]! : '',
        fault: faultOf.get(field.id),
        language,
      }),
    ),
  );
  // A single required field says so itself.
  const note =
    content.fields.length > 1 &&
    content.fields.some(({ required }) => required) &&
    html`<p class="note">${words.requiredNote}</p>
`;
  return html`<form id="form" method="post" action="${new URL(url).pathname}" novalidate${scriptWords(language)}>
${summary(faults, returned, language)}${returned && goneBlock(returned, language)}${note}${raw(fields.join(''))}${trap(language)}${raw(returned ? formTokenField(returned.token) : fillMarker)}
<button class="button primary send"><span dir="auto">${content.submitLabel ?? words.send}</span>${icons.arrow}</button>
</form>
`;
};

interface Around {
  form: Form;
  language: Language;
  isOwnersLanguage: boolean;
  pictures: Pictures;
}

const pageOf = (
  { form, pictures, ...languages }: Around,
  parts: Pick<ShellParts, 'title' | 'body'> & Partial<ShellParts>,
): RenderedPage =>
  renderHosted({
    ...languages,
    theme: form.content.theme,
    styledKind: 'form',
    styles: [controlStyle, style, form.content.fields.some(isScale) ? scaleStyle : '', pictures.style()],
    ...parts,
  });

/** @param returned the input, if nothing of it was stored; undefined for a fresh page */
export const renderForm = async (
  form: Form,
  { url, images, visitorLanguage = 'en' }: Shown,
  returned?: Returned,
): Promise<RenderedPage> => {
  const { name, content } = form;
  const known = languageOfForm(form);
  const language = known ?? visitorLanguage;
  const pictures = createPictures(images);
  const head = html`<header class="form-head">
${logo(content, pictures)}<h1 dir="auto">${name}</h1>
${
  content.description &&
  html`<div class="text">${paragraphs(content.description)}</div>
`
}</header>
`;
  const body = html`<main class="page form-page">
${head}${await formBody(form, url, language, returned)}</main>
${socialRow(content.socials, wordsOf[language].page, pictures)}${pageFooter}`;
  return pageOf(
    { form, language, isOwnersLanguage: known !== undefined, pictures },
    {
      title: returned ? `${wordsOf[language].form.check} – ${name}` : name,
      body,
      script,
      connects: true,
      formAction: formActionOf(content),
      ...(!returned && { listing: { url, description: content.description, imageUrl: content.logoUrl } }),
    },
  );
};

/** A first line up to this length is a headline. */
const headlineLengthMax = 60;

/** The thanks: their first line is the headline if it is short. */
const thanksOf = (
  { thankYouMessage }: FormContent,
  { title, lead }: Words['form']['sent'],
): { headline: string; texts: Html[] | Html } => {
  const [first = '', ...others] = (thankYouMessage ?? '').trim().split(/\r\n?|\n/);
  const fallback = html`<p>${lead}</p>
`;
  if (first === '') return { headline: title, texts: fallback };
  if (first.length > headlineLengthMax) return { headline: title, texts: paragraphs(thankYouMessage!) };
  const rest = paragraphs(others.join('\n'));
  return { headline: first.trim(), texts: rest.length > 0 ? rest : fallback };
};

/** The owner's site: the website of the profiles, else the first of them that is one. */
const siteOf = ({ socials }: FormContent): URL | undefined => {
  const sites = socials.filter(({ platform, url }) => platform !== 'email' && linkOf(url) !== undefined);
  const site = sites.find(({ platform }) => platform === 'website') ?? sites[0];
  return site && (URL.parse(site.url) ?? undefined);
};

const waysOn = (content: FormContent, formPath: string, { site, again }: Words['form']['sent']): Html => {
  const target = siteOf(content);
  const host = target?.host.replace(/^www\./, '');
  return html`${
    target &&
    html`<p class="ways"><a class="button primary" href="${target.href}" rel="noopener nofollow ugc">${icons.back}<span>${filled(site, { host: `\u2068${host}\u2069` })}</span></a></p>
`
  }<p class="again"><a href="${formPath}">${again}</a></p>
`;
};

/** The script of the page puts the answers here. */
const receipt = (formPath: string, title: string): Html =>
  html`<section class="receipt" id="receipt" aria-labelledby="receipt-title" data-form="${formPath}" hidden>
<h2 id="receipt-title">${title}</h2>
<dl></dl>
</section>
`;

/**
 * The page after sending a form, unless the owner redirects to another. Its own script adds the answers, which the
 * browser has kept: the page itself is the same for everybody.
 */
export const renderSent = (form: Form, { url, images, visitorLanguage = 'en' }: Shown): RenderedPage => {
  const { name, content } = form;
  const known = languageOfForm(form);
  const language = known ?? visitorLanguage;
  const pictures = createPictures(images);
  const { sent } = wordsOf[language].form;
  const { headline, texts } = thanksOf(content, sent);
  const formPath = new URL(url).pathname;
  const body = html`<main class="page message sent">
${logo(content, pictures)}<span class="mark">${icons.done}</span>
<p class="owner" dir="auto">${name}</p>
<h1 dir="auto">${headline}</h1>
<div class="sub text">${texts}</div>
${receipt(formPath, sent.receipt)}${waysOn(content, formPath, sent)}</main>
${socialRow(content.socials, wordsOf[language].page, pictures)}${pageFooter}`;
  return pageOf(
    { form, language, isOwnersLanguage: known !== undefined, pictures },
    {
      title: `${headline} – ${name}`,
      body,
      script: receiptScript,
      styles: [ownerStyle, style, thanksStyle, pictures.style()],
    },
  );
};

/**
 * Keeps the input for a retry if not even the form is known: the page has every value, and one button sends them
 * again.
 * @param sent names and values as they were sent
 */
export const renderKept = (url: string, sent: FormPairs, language: Language): RenderedPage => {
  const { notices, tryAgain } = wordsOf[language].form;
  const fields = [...sent].flatMap(([name, values]) =>
    values.map(
      (value) => html`<textarea name="${escaped(name)}" hidden>
${escaped(value)}</textarea>
`,
    ),
  );
  const { title } = wordsOf[language].status.unavailable;
  const again = html`<form method="post" action="${new URL(url).pathname}">
${fields}<button class="button primary send">${tryAgain}</button>
</form>
`;
  return renderHosted({
    language,
    theme: {},
    styles: [style],
    title,
    body: html`${messageBlock(icons.clock, { title, lead: notices.unavailable }, again)}${pageFooter}`,
    formAction: "'self' https: http:",
  });
};
