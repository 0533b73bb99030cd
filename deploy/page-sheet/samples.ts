/** Sample pages by name: of every kind, and the status pages that replace them. */

import path from 'node:path';
import sharp from 'sharp';
import { type ThemeName, themeNames } from '#schemas/api/blocks.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { renderForm, renderSent } from '../../control-plane/features/forms/page/render-form.ts';
import { formPages, sampleForms } from '../../control-plane/features/forms/testing/sample-forms.ts';
import { type Status, statusPage } from '../../control-plane/features/hosted/layout/index.ts';
import type { PageKind, UploadedImage } from '../../control-plane/features/hosted/page-kind.ts';
import { pausedPage } from '../../control-plane/features/hosted/serving/refusals.ts';
import { landingPageKind } from '../../control-plane/features/landing-pages/page/landing-page-kind.ts';
import {
  landingSamples,
  samplePage,
  samplePictures,
} from '../../control-plane/features/landing-pages/page/testing/samples.ts';
import { menuPage } from '../../control-plane/features/menus/page/menu-page.ts';
import {
  emptyMenu,
  menuSamples,
  usualMenu,
} from '../../control-plane/features/menus/page/testing/samples.ts';
import { sampleBrandedPages } from '../../redirector/pages/testing/branded-samples.ts';
import { samplePages as sampleScanPages } from '../../redirector/pages/testing/samples.ts';
import { sampleVerificationPages } from '../../redirector/pages/verification/testing/samples.ts';

/** The pictures of the examples, as an owner's. */
export const picturesFolder = path.join(import.meta.dirname, '../embedded/examples/pictures');

const blurred = await sharp(path.join(picturesFolder, 'bakery.webp')).resize(16).blur(1).webp().toBuffer();

/** The hero picture as an upload of ours, in all its sizes. */
const uploads: ReadonlyMap<string, UploadedImage> = new Map([
  [
    samplePictures.hero,
    {
      width: 1600,
      height: 1067,
      widths: [640, 1080, 1600],
      urlOf: (width: number, format: 'avif' | 'webp') => `https://images.example/hero/${width}.${format}`,
      placeholder: `data:image/webp;base64,${blurred.toString('base64')}`,
    },
  ],
]);

const render = <Content>(
  kind: PageKind<Content>,
  contents: Readonly<Record<string, Content>>,
  variant = '',
): Promise<[string, RenderedPage][]> =>
  Promise.all(
    Object.entries(contents).map(
      async ([name, content]): Promise<[string, RenderedPage]> => [
        `${kind.segment}-${name}`,
        await kind.render(samplePage(kind.kind, content), {
          url: `https://qr.example.com/${kind.segment}/page_4nX5cPq7Rk2mQw8Z`,
          variant,
          images: uploads,
        }),
      ],
    ),
  );

/** A page without colours of its own. */
const themed = <Content extends object>(name: ThemeName, content: Content): Content => ({
  ...content,
  theme: { name },
});

/** Every kind of page in a named theme. */
const inTheme = async (name: ThemeName): Promise<[string, RenderedPage][]> => {
  const { everything, scale } = sampleForms;
  const { cafe, photographer, arabic } = landingSamples;
  const url = 'https://qr.example.com/f/form_4nX5cPq7Rk2mQw8Z';
  const form = { ...everything, content: themed(name, everything.content) };
  const sent = { ...scale, content: themed(name, scale.content) };
  return [
    ...(await render(landingPageKind, {
      [`${name}-plain`]: themed(name, cafe!),
      [`${name}-picture`]: themed(name, photographer!),
      [`${name}-arabic`]: themed(name, arabic!),
    })),
    ...(await render(menuPage, {
      [name]: themed(name, usualMenu),
      [`${name}-picture`]: { ...themed(name, usualMenu), heroImageUrl: samplePictures.hero },
    })),
    [`f-${name}`, await renderForm(form, { url, images: uploads })],
    [`f-${name}-scale`, await renderForm(sent, { url, images: uploads })],
    [`f-${name}-sent`, renderSent(sent, { url, images: uploads })],
    [`paused-${name}`, pausedPage(samplePage('menu', themed(name, usualMenu)), 'en')],
  ];
};

type SamplePage = Pick<RenderedPage, 'html'>;

const isStatus = (name: string): name is Status => name in wordsOf.en.status;

export const samplePages: ReadonlyMap<string, SamplePage> = new Map<string, SamplePage>([
  ...(await render(landingPageKind, landingSamples)),
  ...(await render(menuPage, menuSamples)),
  ...(await render(menuPage, { empty: emptyMenu })),
  ...(await render(menuPage, { filtered: usualMenu }, 'diet=vegetarian&without=nuts')),
  ...[...formPages].map(([name, document]): [string, RenderedPage] => [`f-${name}`, document]),
  ...(await Promise.all(themeNames.map(inTheme))).flat(),
  ...Object.keys(wordsOf.en.status)
    .filter(isStatus)
    .map((status): [string, RenderedPage] => [`status-${status}`, statusPage(status)]),
  ['paused-landing', pausedPage(samplePage('landing_page', landingSamples.musician), 'en')],
  ['paused-landing-arabic', pausedPage(samplePage('landing_page', landingSamples.arabic), 'ar')],
  ['paused-form', pausedPage({ ...sampleForms.everything, status: 'paused' }, 'en')],
  ['paused-form-german', pausedPage({ ...sampleForms.german, status: 'paused' }, 'de')],
  ['paused-menu', pausedPage(samplePage('menu', menuSamples.usual), 'en')],
  ...Object.entries(sampleVerificationPages()).map(([name, { body }]): [string, SamplePage] => [
    `v-${name}`,
    { html: body.toString() },
  ]),
  ...(['en', 'de', 'ar'] as const).flatMap((language) =>
    Object.entries(sampleScanPages(language)).map(([name, { body }]): [string, SamplePage] => [
      `r-${language}-${name}`,
      { html: body.toString() },
    ]),
  ),
  ...Object.entries(sampleBrandedPages()).map(([name, { body }]): [string, SamplePage] => [
    `domain-404-${name}`,
    { html: body.toString() },
  ]),
]);
