import { expect, test } from 'vitest';
import { countIterations } from '../../../testing/iterations.ts';
import { landingPageKind } from '../../landing-pages/page/landing-page-kind.ts';
import { landingSamples, samplePage } from '../../landing-pages/page/testing/samples.ts';
import { createRendering } from './rendering.ts';

const iteration = countIterations();

test('of pages that are rendered at once, each has an iteration of the event loop for itself', async () => {
  const rendering = createRendering({
    qrHost: 'https://qr.example.com',
    findImages: async () => ({ images: new Map(), isComplete: true }),
    onRendered: () => undefined,
    largePagesOf: () => {
      throw new Error('no page is large');
    },
  });
  const renderedIn: number[] = [];
  const kind: typeof landingPageKind = {
    ...landingPageKind,
    render(...args) {
      renderedIn.push(iteration());
      return landingPageKind.render(...args);
    },
  };
  const page = samplePage('landing_page', landingSamples.cafe!);
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      rendering.renderPlain(kind, { ...page, id: `page_${at}` }, undefined),
    ),
  );
  expect(renderedIn).toHaveLength(20);
  expect(new Set(renderedIn).size).toBe(20);
});
