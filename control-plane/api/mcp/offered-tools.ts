/**
 * The tools, each an operation of the API. A model reads the whole list before it does anything, so the list is short, and
 * so is each of its texts: rare fields stay with the API.
 */

export interface OfferedTool {
  /** Of the operation: `docs.id`. */
  operation: string;
  name: string;
  /** What it is for, in a sentence or two. Its title is the summary of the operation. */
  description: string;
  /** The parameters and fields that it takes besides those of the path. Default: all. */
  takes?: readonly string[];
  /** The values that it takes of a field, if not all. */
  only?: Readonly<Record<string, readonly string[]>>;
}

const look = [
  'preset',
  'brandKitId',
  'shape',
  'frame',
  'dotsOptions',
  'cornersSquareOptions',
  'cornersDotOptions',
  'backgroundOptions',
];
const codeFields = ['name', 'externalId', 'metadata', 'notes', 'tags', 'folderId', 'expiresAt', 'maxScans'];
const routing = ['startsAt', 'schedule', 'routingRules', 'campaign'];
const filters = [
  'country',
  'device',
  'os',
  'browser',
  'referrer',
  'source',
  'code',
  'domain',
  'tag',
  'folder',
];

/** They change nothing. */
export const readingTools: readonly OfferedTool[] = [
  {
    operation: 'listCodes',
    name: 'list_codes',
    description: 'Finds codes: newest first, filtered by words, tags, folder, host, status or date.',
    takes: [
      ...['limit', 'cursor', 'sort', 'search', 'status', 'archived', 'tags', 'folderId', 'destinationHost'],
      ...['createdAfter', 'createdBefore', 'excludeExpired', 'excludeCapped'],
    ],
  },
  {
    operation: 'getCode',
    name: 'get_code',
    description: 'Shows one code with its whole configuration.',
  },
  {
    operation: 'explainCode',
    name: 'explain_code',
    description: 'Says where a scan would lead and why, for a given country, device, language or moment.',
    takes: ['country', 'device', 'os', 'language', 'browser', 'query', 'at'],
  },
  {
    operation: 'listCodeHistory',
    name: 'list_code_history',
    description: 'Lists who changed a code, when, and from what to what.',
  },
  {
    operation: 'getCodeImage',
    name: 'draw_code',
    description: 'Draws a code of the workspace.',
    takes: ['format', 'size'],
    only: { format: ['png', 'svg', 'webp', 'jpg'] },
  },
  {
    operation: 'createStaticCode',
    name: 'draw_static_code',
    description:
      'Draws a code that holds the data itself. Nothing is stored, and it cannot be changed later.',
    takes: ['data', 'dataType', 'width', 'returnType', ...look],
  },
  {
    operation: 'getAnalytics',
    name: 'get_analytics',
    description:
      'Counts the scans of the workspace, and with `conversions` their results, over time, or by code, country, device and so on.',
    takes: [
      'groupBy',
      'days',
      'from',
      'to',
      'timezone',
      'interval',
      'compare',
      'limit',
      'conversions',
      'event',
      ...filters,
    ],
  },
  {
    operation: 'getCodeAnalytics',
    name: 'get_code_analytics',
    description: 'Counts the scans of one code.',
  },
  {
    operation: 'listScans',
    name: 'list_scans',
    description: 'Lists single scans. They say nothing of the visitor but country, device and the like.',
    takes: ['days', 'from', 'to', 'kind', 'order', 'limit', 'cursor', ...filters],
  },
  {
    operation: 'listLandingPages',
    name: 'list_landing_pages',
    description: 'Lists the landing pages, newest first.',
  },
  {
    operation: 'getLandingPage',
    name: 'get_landing_page',
    description: 'Shows a landing page.',
  },
  { operation: 'listMenus', name: 'list_menus', description: 'Lists the menus, with their sections.' },
  { operation: 'getMenu', name: 'get_menu', description: 'Shows a menu.' },
  { operation: 'listForms', name: 'list_forms', description: 'Lists the forms.' },
  {
    operation: 'listFormSubmissions',
    name: 'list_form_submissions',
    description: 'Lists what people sent with a form, newest first.',
  },
  {
    operation: 'getAccount',
    name: 'get_account',
    description: 'Says what the key opens: workspace, plan, role, permissions, test mode.',
  },
  {
    operation: 'getUsage',
    name: 'get_usage',
    description: 'Says how much of each quota and limit is used.',
  },
  { operation: 'listTags', name: 'list_tags', description: 'Lists the tags of codes.' },
  { operation: 'listFolders', name: 'list_folders', description: 'Lists the folders of codes.' },
  {
    operation: 'listBrandKits',
    name: 'list_brand_kits',
    description: 'Lists the looks that are stored for codes, for the field brandKitId.',
  },
  {
    operation: 'listRequestLogs',
    name: 'list_request_logs',
    description: 'Lists API calls of the last seven days with their outcome, to find out what went wrong.',
  },
];

export const writingTools: readonly OfferedTool[] = [
  {
    operation: 'createCode',
    name: 'create_code',
    description: 'Makes a code whose destination can be changed after it is printed.',
    takes: ['data', 'dataType', ...codeFields, ...routing, 'alias', ...look, 'dryRun'],
  },
  {
    operation: 'patchCode',
    name: 'update_code',
    description: 'Changes fields of a code, such as its destination. Printed copies lead there at once.',
    takes: ['destination', 'status', 'archived', ...codeFields, ...routing, ...look, 'dryRun'],
  },
  {
    operation: 'deleteCode',
    name: 'deactivate_code',
    description:
      'Switches a code off: scans of printed copies get a page that says so. update_code switches it on.',
  },
  {
    operation: 'createAlias',
    name: 'create_alias',
    description: 'Gives a code a further short path that people can read.',
    takes: ['alias', 'domain', 'length', 'prefix'],
  },
  {
    operation: 'createLandingPage',
    name: 'create_landing_page',
    description: 'Makes a page with a headline, a text and buttons, to which a code can lead.',
  },
  {
    operation: 'updateLandingPage',
    name: 'update_landing_page',
    description: 'Changes fields of a landing page. Lists that are sent replace the old ones.',
  },
  {
    operation: 'createMenu',
    name: 'create_menu',
    description: 'Makes a menu with prices and allergens, to which a code can lead.',
  },
  {
    operation: 'updateMenu',
    name: 'update_menu',
    description: 'Changes fields of a menu. Lists that are sent replace the old ones: send whole sections.',
  },
  {
    operation: 'createForm',
    name: 'create_form',
    description: 'Makes a form that people fill in after a scan.',
  },
];
