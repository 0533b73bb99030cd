/** Landing pages: one page with a picture, a text and buttons, at `{qr_host}/p/{pageId}`. */
import {
  createLandingPageBody,
  type LandingPageContent,
  updateLandingPageBody,
} from '#schemas/api/landing-pages.ts';
import { pageDocumentId } from '#schemas/documents.ts';
import { bodyLimits } from '../../api/http/body.ts';
import type { Operation } from '../../api/http/operation.ts';
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { documentPublishingOf } from '../../publishing/feature.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { pageServingOf } from '../hosted/serving/page-serving.ts';
import { uploadImageOf } from '../hosted/uploads/feature.ts';
import { landingPageDocs } from './docs.ts';
import { createImageUploadOperation } from './image-upload.ts';
import { landingPageKind } from './page/landing-page-kind.ts';
import { languageOf } from './page/render-landing-page.ts';
import { landingPageResource } from './resource.ts';

const crudOf = (services: Services): Operation[] =>
  createHostedOperations({
    services,
    rules: {
      resource: landingPageResource,
      createBody: createLandingPageBody,
      updateBody: updateLandingPageBody,
      languageOf: ({ name, content }) => languageOf({ name, content: content as LandingPageContent }),
    },
    path: '/api/qr/landing-pages',
    bodyLimit: bodyLimits.page,
    docs: landingPageDocs,
  });

export const landingPages: Feature = {
  name: 'landing-pages',
  ids: [landingPageResource.ids],
  open: (services) => ({
    operations: [
      ...crudOf(services),
      createImageUploadOperation({
        pool: services.pool,
        uploadImage: uploadImageOf(services),
        publish: (pageId) => documentPublishingOf(services).publish([pageDocumentId(pageId)]),
      }),
      pageServingOf(services).operationFor(landingPageKind),
    ],
  }),
};
