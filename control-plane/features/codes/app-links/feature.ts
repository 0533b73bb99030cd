/** The files that tell phones which apps may open codes instead of the browser. */
import type { Feature } from '../../../framework/feature.ts';
import { createAppLinkOperations } from './app-links.ts';

export const appLinks: Feature = {
  name: 'app-links',
  open: ({ pool, config, servedDomains }) => ({
    operations: createAppLinkOperations(pool, config.appLinksAllow, servedDomains),
  }),
};
