/**
 * The rooms (folders) and their doors: which may import which. A room is a folder including its subfolders that are
 * not rooms themselves; a file may also be a room. The list goes from the ground up: a door leads to a room earlier
 * in the list, so that there are no cycles. `schemas/` and `shared/` are open to both planes.
 */

const redirector = {
  'redirector/visitor': [],
  'redirector/tls': [],
  'redirector/pages': [],
  'redirector/instance': [],
  'redirector/held': ['instance'],
  'redirector/codes': ['held'],
  'redirector/documents': ['held', 'instance'],
  'redirector/recording': ['instance'],
  'redirector/limits': ['visitor', 'instance'],
  'redirector/domains': ['held', 'documents', 'pages'],
  'redirector/scan-reports': ['documents', 'recording'],
  'redirector/scan': ['visitor', 'codes', 'limits', 'recording', 'pages', 'scan-reports', 'domains'],
  'redirector/verify': [
    'visitor',
    'instance',
    'documents',
    'limits',
    'recording',
    'pages',
    'scan',
    'domains',
  ],
  'redirector/gs1': ['visitor', 'documents', 'limits', 'recording', 'pages', 'scan', 'verify', 'domains'],
  'redirector/hosted': ['limits', 'recording', 'pages', 'scan'],
  'redirector/http': [
    'visitor',
    'tls',
    'documents',
    'scan',
    'verify',
    'gs1',
    'hosted',
    'recording',
    'pages',
    'domains',
  ],
  'redirector/capacities.ts': ['instance', 'domains', 'limits', 'recording', 'verify', 'http'],
  'redirector/redirector.ts': [
    'visitor',
    'tls',
    'instance',
    'held',
    'codes',
    'documents',
    'domains',
    'recording',
    'scan-reports',
    'pages',
    'limits',
    'scan',
    'verify',
    'gs1',
    'hosted',
    'http',
    'capacities.ts',
  ],
  'redirector/process': ['tls', 'instance', 'recording', 'scan-reports', 'capacities.ts', 'redirector.ts'],
  'redirector/main.ts': ['process', 'redirector.ts'],
};

const rendering = {
  'control-plane/rendering/symbol': [],
  'control-plane/rendering/vector': [],
  'control-plane/rendering/look': [],
  'control-plane/rendering/captions': ['rendering/vector', 'rendering/look'],
  'control-plane/rendering/frames': ['rendering/vector', 'rendering/look', 'rendering/captions'],
  'control-plane/rendering/drawing': ['rendering/symbol', 'rendering/vector', 'rendering/look'],
  'control-plane/rendering/output': ['rendering/symbol', 'rendering/vector', 'rendering/look'],
  'control-plane/rendering/sheets': ['rendering/symbol', 'rendering/vector', 'rendering/captions'],
  'control-plane/rendering/logo': [
    'platform/fair-queue',
    'platform/processes',
    'rendering/vector',
    'rendering/output',
  ],
  'control-plane/rendering/scene': [
    'rendering/symbol',
    'rendering/vector',
    'rendering/look',
    'rendering/captions',
    'rendering/frames',
    'rendering/drawing',
    'rendering/output',
    'rendering/logo',
  ],
  'control-plane/rendering/proof': [
    'rendering/symbol',
    'rendering/look',
    'rendering/output',
    'rendering/scene',
  ],
  'control-plane/rendering': [
    'platform/fair-queue',
    'rendering/symbol',
    'rendering/look',
    'rendering/captions',
    'rendering/drawing',
    'rendering/output',
    'rendering/sheets',
    'rendering/logo',
    'rendering/scene',
    'rendering/proof',
  ],
};

const controlPlane = {
  'control-plane/platform/db': [],
  'control-plane/platform/fair-queue': [],
  'control-plane/platform/processes': ['platform/fair-queue'],
  'control-plane/platform/outgoing': [],
  'control-plane/platform/storage': [],
  'control-plane/platform/spreadsheets': ['platform/fair-queue', 'platform/processes'],
  'control-plane/jobs': ['platform/db', 'platform/storage'],
  'control-plane/framework/outbox.ts': ['platform/db'],
  'control-plane/framework/verb.ts': ['platform/db', 'framework/outbox.ts'],
  ...rendering,
  'control-plane/api/access': ['platform/db'],
  'control-plane/api/idempotency': ['platform/db', 'api/access'],
  'control-plane/api/http': ['platform/fair-queue', 'api/access', 'api/idempotency'],
  'control-plane/reports': ['platform/db', 'api/http'],
  'control-plane/api/openapi': ['api/access', 'api/idempotency', 'api/http'],
  'control-plane/api/reference': ['api/http', 'api/openapi'],
  'control-plane/api/monitoring': ['api/http'],
  'control-plane/admin': ['platform/db', 'framework/outbox.ts', 'framework/verb.ts'],
  'control-plane/publishing': ['platform/db', 'jobs', 'api/http', 'framework/verb.ts'],
};

/** The doors of every feature. */
const plane = [
  'platform/db',
  'jobs',
  'framework/outbox.ts',
  'platform/outgoing',
  'platform/storage',
  'platform/fair-queue',
  'rendering',
  'api/access',
  'api/idempotency',
  'api/http',
  'reports',
  'api/monitoring',
  'framework/verb.ts',
  'publishing',
  'framework/services.ts',
  'framework/feature.ts',
];

const features = {
  'control-plane/framework/services.ts': [
    'platform/db',
    'api/access',
    'api/idempotency',
    'jobs',
    'api/monitoring',
    'framework/outbox.ts',
    'platform/outgoing',
    'platform/storage',
    'rendering',
  ],
  'control-plane/framework/feature.ts': [
    'jobs',
    'framework/outbox.ts',
    'api/http',
    'framework/verb.ts',
    'framework/services.ts',
  ],
  'control-plane/api/monitoring/feature.ts': ['api/monitoring', 'framework/feature.ts'],
  'control-plane/platform/storage/feature.ts': ['platform/storage', 'framework/feature.ts'],
  'control-plane/jobs/feature.ts': ['jobs', 'framework/feature.ts'],
  'control-plane/publishing/feature.ts': ['publishing', 'framework/feature.ts', 'framework/services.ts'],
  'control-plane/features/tenancy': plane,
  'control-plane/api/idempotency/feature.ts': ['api/idempotency', 'framework/feature.ts'],
  'control-plane/features/logos': plane,
  'control-plane/features/brand-kits': [...plane, 'features/logos'],
  'control-plane/features/pictures': [...plane, 'features/brand-kits'],
  'control-plane/features/codes/store': plane,
  'control-plane/features/codes/protection': [...plane, 'features/codes/store'],
  'control-plane/features/codes/record.ts': [...plane, 'features/codes/store'],
  'control-plane/features/codes/analytics': [...plane, 'features/codes/store'],
  'control-plane/features/codes/explain': [
    ...plane,
    'features/codes/store',
    'features/codes/record.ts',
    'features/codes/analytics',
  ],
  'control-plane/features/codes/app-links': [...plane, 'features/codes/store'],
  'control-plane/features/codes/export': [
    ...plane,
    'platform/spreadsheets',
    'features/codes/store',
    'features/codes/record.ts',
    'features/codes/analytics',
  ],
  'control-plane/features/codes': [
    ...plane,
    'features/brand-kits',
    'features/pictures',
    'features/codes/store',
    'features/codes/protection',
    'features/codes/record.ts',
    'features/codes/analytics',
    'features/codes/explain',
    'features/codes/app-links',
    'features/codes/export',
  ],
  'control-plane/features/codes/batch': [
    ...plane,
    'features/logos',
    'features/brand-kits',
    'features/pictures',
    'features/codes',
  ],
  'control-plane/features/images': [
    ...plane,
    'features/brand-kits',
    'features/pictures',
    'features/codes/store',
  ],
  'control-plane/features/static': [...plane, 'features/brand-kits', 'features/codes', 'features/images'],
  'control-plane/features/bulk/engine': plane,
  'control-plane/features/bulk/create': [
    ...plane,
    'features/brand-kits',
    'features/codes',
    'features/codes/batch',
    'features/bulk/engine',
  ],
  'control-plane/features/bulk/generate': [
    ...plane,
    'features/brand-kits',
    'features/codes',
    'features/codes/batch',
    'features/pictures',
    'features/images',
    'features/logos',
    'features/static',
    'features/bulk/engine',
    'features/bulk/create',
  ],
  'control-plane/features/bulk/replace': [
    ...plane,
    'features/brand-kits',
    'features/codes/store',
    'features/codes/batch',
    'features/bulk/engine',
    'features/bulk/create',
  ],
  'control-plane/features/bulk/upload': [
    ...plane,
    'platform/spreadsheets',
    'features/brand-kits',
    'features/codes',
    'features/bulk/engine',
  ],
  'control-plane/features/bulk': [
    ...plane,
    'features/brand-kits',
    'features/codes',
    'features/codes/batch',
    'features/bulk/engine',
    'features/bulk/create',
    'features/bulk/generate',
    'features/bulk/replace',
    'features/bulk/upload',
  ],
  'control-plane/features/hosted': plane,
  'control-plane/features/hosted/layout': [...plane, 'features/hosted'],
  'control-plane/features/hosted/uploads': [...plane, 'platform/processes', 'features/hosted'],
  'control-plane/features/hosted/serving': [
    ...plane,
    'features/hosted',
    'features/hosted/layout',
    'features/hosted/uploads',
  ],
  'control-plane/features/landing-pages': [...plane, 'features/hosted'],
  'control-plane/features/menus': [...plane, 'features/hosted'],
  'control-plane/features/forms': [...plane, 'platform/spreadsheets', 'features/hosted'],
  'control-plane/features/branding': [...plane, 'features/hosted'],
  'control-plane/features/domains': [
    ...plane,
    'features/branding',
    'features/codes/store',
    'features/codes/app-links',
    'features/hosted',
  ],
  'control-plane/features/webhooks/queue': plane,
  'control-plane/features/webhooks/delivery': [...plane, 'features/webhooks/queue'],
  'control-plane/features/webhooks/scans': [...plane, 'features/webhooks/queue'],
  'control-plane/features/webhooks': [
    ...plane,
    'features/webhooks/queue',
    'features/webhooks/delivery',
    'features/webhooks/scans',
  ],
  'control-plane/features/gs1': [...plane, 'features/codes/analytics'],
  'control-plane/features/serialized': [...plane, 'platform/spreadsheets', 'features/hosted', 'features/gs1'],
  'control-plane/features/billing': [...plane, 'features/tenancy', 'features/serialized'],
  'control-plane/features/serialized/verification': [...plane, 'features/gs1', 'features/serialized'],
  'control-plane/features/serialized/exports': [
    ...plane,
    'features/bulk/engine',
    'features/bulk/generate',
    'features/brand-kits',
    'features/serialized',
  ],
  'control-plane/features/serialized/printing': [
    ...plane,
    'platform/spreadsheets',
    'features/bulk/engine',
    'features/serialized',
    'features/serialized/exports',
  ],
};

/** The only room that knows every feature, and the programs. */
const programs = {
  'control-plane/app.ts': [...plane, 'api/openapi', 'api/reference', 'features'],
  'control-plane/main.ts': ['app.ts'],
  'control-plane/admin.ts': ['admin', 'platform/db', 'framework/outbox.ts', 'framework/feature.ts', 'app.ts'],
};

/** A door by its path below the plane's own folder. */
const inPlane = (name: string, rooms: Record<string, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(rooms).map(([room, doors]) => [room, doors.map((door) => `${name}/${door}`)]),
  );

/** The doors of each room: rooms, or folders that stand for all of their rooms. */
export const doorsOf: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  shared: ['schemas'],
  ...inPlane('redirector', redirector),
  ...inPlane('control-plane', { ...controlPlane, ...features, ...programs }),
  'clients/typescript': [],
  'clients/cli': ['clients/typescript'],
  'clients/n8n': [],
  deploy: ['control-plane', 'redirector/pages', 'shared', 'schemas'],
  loadtest: ['deploy', 'shared', 'schemas'],
};

/** Open to both planes. */
export const openRooms: readonly string[] = ['schemas', 'shared'];

/** The innermost room that a file is in. @returns undefined if it is in none */
export const roomOf = (file: string): string | undefined => {
  let found: string | undefined;
  for (const room of Object.keys(doorsOf)) {
    if (file !== room && !file.startsWith(`${room}/`)) continue;
    if (found === undefined || room.length > found.length) found = room;
  }
  return found;
};
