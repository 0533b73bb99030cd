/** The files that phones fetch before they open a link in an app. */
import { z } from 'zod';
import { ownText } from './text.ts';

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAppSiteAssociation = z.object({
  applinks: z
    .object({
      details: z
        .array(
          z.object({
            appIDs: z.array(ownText()).describe('The apps, each by its team id and bundle id.'),
            components: z
              .array(z.object({ '/': ownText().describe('The path of a code.') }))
              .describe('The codes that the apps open.'),
          }),
        )
        .describe('The codes that each app opens.'),
    })
    .describe('The universal links of this host.'),
});

export type AppleAppSiteAssociation = z.infer<typeof appleAppSiteAssociation>;

/** https://developers.google.com/digital-asset-links/v1/statements */
export const androidAssetLinks = z.array(
  z.object({
    relation: z.array(ownText()).describe('What the app may do.'),
    target: z
      .object({
        namespace: z.literal('android_app').describe('The kind of target.'),
        package_name: ownText().describe('The package name of the app.'),
        sha256_cert_fingerprints: z
          .array(ownText())
          .describe('The SHA-256 fingerprints, in hexadecimal, of the certificates that sign the app.'),
      })
      .describe('The app.'),
  }),
);

export type AndroidAssetLinks = z.infer<typeof androidAssetLinks>;
