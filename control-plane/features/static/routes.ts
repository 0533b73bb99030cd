/** Static codes, which are not stored, and the generator that makes either kind. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation, publicOperation } from '../../api/http/operation.ts';
import type { CreateDynamicCode } from '../codes/create-code.ts';
import { createStaticDocs, generateDocs, publicGenerateDocs } from './docs.ts';
import { createStaticRendering, type DrawStaticCode } from './static.ts';

export interface StaticOptions {
  draw: DrawStaticCode;
  createDynamicCode: CreateDynamicCode;
  qrHost: string;
}

export const createStaticOperations = (options: StaticOptions): Operation[] => {
  const bodies = createCodeBodies(options.qrHost);
  const render = createStaticRendering(options.draw);

  return [
    operation({
      method: 'post',
      path: '/api/qr/static',
      permission: 'codes:read',
      body: bodies.staticCode,
      bodyLimit: bodyLimits.code,
      docs: createStaticDocs,
      handle: ({ principal: { workspaceId }, body }) => render({ workspaceId }, body),
    }),
    operation({
      method: 'post',
      path: '/api/qr/generate',
      body: bodies.generate,
      // A static code holds its data itself: no scan of it passes through here.
      screened: ({ type, ...body }) => (type === 'static' ? undefined : body),
      bodyLimit: bodyLimits.code,
      creates: { quota: 'dynamicQr' },
      docs: generateDocs,
      handle({ principal, body: { type, ...body }, create }) {
        // A static code is not stored: it uses no quota, and needs no idempotency key.
        if (type === 'static') return render({ workspaceId: principal.workspaceId }, body);
        return options.createDynamicCode(principal, body, create);
      },
    }),
    publicOperation({
      method: 'post',
      path: '/api/qr/public/generate',
      access: 'public',
      ipLimit: 'publicGenerator',
      body: bodies.publicStaticCode,
      bodyLimit: bodyLimits.publicCode,
      docs: publicGenerateDocs,
      handle: ({ address, body }) => render({ address: address() }, body),
    }),
  ];
};
