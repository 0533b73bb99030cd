/** Menus: sections of items, which visitors can filter, at `{qr_host}/m/{menuId}`. */

import { bodyLimits } from '../../api/http/body.ts';
import type { Feature } from '../../framework/feature.ts';
import { createHostedOperations } from '../hosted/operations.ts';
import { pageServingOf } from '../hosted/serving/page-serving.ts';
import { menuDocs } from './docs.ts';
import { menuPage } from './page/menu-page.ts';
import { menuResource } from './resource.ts';
import { menuRules } from './rules.ts';

export const menus: Feature = {
  name: 'menus',
  ids: [menuResource.ids],
  open: (services) => ({
    operations: [
      ...createHostedOperations({
        services,
        rules: menuRules,
        module: menuPage.module,
        path: '/api/qr/menus',
        bodyLimit: bodyLimits.menu,
        docs: menuDocs,
      }),
      pageServingOf(services).operationFor(menuPage),
    ],
  }),
};
