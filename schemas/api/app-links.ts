/** The files that phones fetch before they open a link in an app. */
import { z } from 'zod';
import { described } from './described.ts';
import { ownText } from './text.ts';

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
export const appleAppSiteAssociation = z.object(
  described(
    {
      applinks: z.object(
        described(
          {
            details: z.array(
              z.object(
                described(
                  {
                    appIDs: z.array(ownText()),
                    components: z.array(
                      z.object(described({ '/': ownText() }, { '/': 'The path of a code.' })),
                    ),
                  },
                  { appIDs: 'Apps, each by team and bundle id.', components: 'The codes that they open.' },
                ),
              ),
            ),
          },
          { details: 'What each app opens.' },
        ),
      ),
    },
    { applinks: 'The universal links of this host.' },
  ),
);

export type AppleAppSiteAssociation = z.infer<typeof appleAppSiteAssociation>;

/** https://developers.google.com/digital-asset-links/v1/statements */
export const androidAssetLinks = z.array(
  z.object(
    described(
      {
        relation: z.array(ownText()),
        target: z.object(
          described(
            {
              namespace: z.literal('android_app'),
              package_name: ownText(),
              sha256_cert_fingerprints: z.array(ownText()),
            },
            {
              namespace: 'What kind of target it is.',
              package_name: 'The package of the app.',
              sha256_cert_fingerprints:
                'SHA-256 of the certificates that the app is signed with, in hexadecimal.',
            },
          ),
        ),
      },
      { relation: 'What the app may do.', target: 'The app.' },
    ),
  ),
);

export type AndroidAssetLinks = z.infer<typeof androidAssetLinks>;
