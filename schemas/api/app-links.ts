/** What phones ask for before they open a link in an app. */
import { z } from 'zod';
import { ownText } from './text.ts';

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAppSiteAssociation = z.object({
  applinks: z.object({
    details: z.array(
      z.object({
        appIDs: z.array(ownText()),
        components: z.array(z.object({ '/': ownText() })),
      }),
    ),
  }),
});

export type AppleAppSiteAssociation = z.infer<typeof appleAppSiteAssociation>;

/** https://developers.google.com/digital-asset-links/v1/statements */
export const androidAssetLinks = z.array(
  z.object({
    relation: z.array(ownText()),
    target: z.object({
      namespace: z.literal('android_app'),
      package_name: ownText(),
      sha256_cert_fingerprints: z.array(ownText()),
    }),
  }),
);

export type AndroidAssetLinks = z.infer<typeof androidAssetLinks>;
