/** POST /api/qr/landing-pages/{pageId}/image: a picture of a page, in a JSON body. */
import { type LandingImageKind, landingImageUpload } from '#schemas/api/landing-image.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { changePage, requirePage } from '../hosted/store.ts';
import type { UploadImage } from '../hosted/uploads/upload/upload-image.ts';
import { uploadImageDocs } from './image-docs.ts';
import { landingPageResource } from './resource.ts';

const fieldOf: Readonly<Record<LandingImageKind, string>> = { hero: 'heroImageUrl', avatar: 'avatarUrl' };

export interface ImageUploadOptions {
  pool: Pool;
  uploadImage: UploadImage;
  /** Publishes the page once its change is committed. */
  publish(pageId: string): Promise<void>;
}

export const createImageUploadOperation = ({ pool, uploadImage, publish }: ImageUploadOptions): Operation =>
  operation({
    method: 'post',
    path: '/api/qr/landing-pages/:pageId/image',
    capability: 'landingPages',
    body: landingImageUpload,
    bodyLimit: bodyLimits.image,
    docs: uploadImageDocs,
    async handle({ principal: { workspaceId }, params: { pageId = '' }, body: { kind, dataUrl } }) {
      // Checked before the work; the change itself checks again.
      await requirePage(pool, landingPageResource, workspaceId, pageId);
      const url = await uploadImage({ workspaceId, kind, dataUrl }, async (tx, imageUrl) => {
        const setBytes = new TextEncoder().encode(JSON.stringify({ [fieldOf[kind]]: imageUrl }));
        await changePage(tx, landingPageResource, workspaceId, pageId, {
          setBytes,
          cleared: [],
        });
      });
      await publish(pageId);
      return { body: { kind, url } };
    },
  });
