/** What phones ask for before they open a link in an app. */
import { z } from 'zod';

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAppSiteAssociation = z.object({
  applinks: z.object({
    details: z.array(
      z.object({
        appIDs: z.array(z.string()),
        components: z.array(z.object({ '/': z.string() })),
      }),
    ),
  }),
});

export type AppleAppSiteAssociation = z.infer<typeof appleAppSiteAssociation>;

/** https://developers.google.com/digital-asset-links/v1/statements */
export const androidAssetLinks = z.array(
  z.object({
    relation: z.array(z.string()),
    target: z.object({
      namespace: z.literal('android_app'),
      package_name: z.string(),
      sha256_cert_fingerprints: z.array(z.string()),
    }),
  }),
);

export type AndroidAssetLinks = z.infer<typeof androidAssetLinks>;
