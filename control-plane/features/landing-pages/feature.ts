/** Landing pages: one page with a picture, a text and buttons, at `{qr_host}/p/{pageId}`. */
import { createLandingPageBody, updateLandingPageBody } from '#schemas/api/landing-pages.ts';
import type { Feature } from '../../feature.ts';
import { bodyLimits } from '../../http/body.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { pageServingOf } from '../hosted/serving/page-serving.ts';
import { landingPageDocs } from './docs.ts';
import { landingPageKind } from './page/landing-page-kind.ts';
import { landingPageResource } from './resource.ts';

export const landingPages: Feature = {
  name: 'landing-pages',
  ids: [landingPageResource.ids],
  open: (services) => ({
    operations: [
      ...createHostedOperations({
        services,
        resource: landingPageResource,
        path: '/api/qr/landing-pages',
        capability: 'landingPages',
        createBody: createLandingPageBody,
        updateBody: updateLandingPageBody,
        bodyLimit: bodyLimits.page,
        docs: landingPageDocs,
      }),
      pageServingOf(services).operationFor(landingPageKind),
    ],
  }),
};
