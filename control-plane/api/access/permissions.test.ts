import { expect, test } from 'vitest';
import { permissionOf } from './permissions.ts';

test.each([
  ['get', '/api/qr/codes', 'codes:read'],
  ['put', '/api/qr/codes/:id', 'codes:write'],
  ['get', '/api/qr/codes/:id/scans.csv', 'analytics:read'],
  ['get', '/api/qr/forms/:formId', 'pages:read'],
  ['delete', '/api/qr/forms/:formId/submissions/:submissionId', 'submissions:write'],
  ['get', '/api/qr/forms/:formId/submissions.csv', 'submissions:read'],
  ['get', '/api/qr/codes-of-others', undefined],
  ['post', '/api/qr/codes/:id/analytics', undefined],
])('%s %s takes %s', (method, path, permission) => {
  expect(permissionOf({ method, path })).toBe(permission);
});

test('an operation says itself what it takes', () => {
  expect(permissionOf({ method: 'post', path: '/api/qr/codes', permission: 'any' })).toBe('any');
});
