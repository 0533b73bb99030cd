/** /api/ai: drafts of looks, landing pages and menus by a model. */
import { draftLooksBody, draftMenuBody, draftPageBody } from '#schemas/api/ai.ts';
import { ClientError } from '#shared/errors.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { createFairGate } from '../../platform/fair-queue/fair-gate.ts';
import type { Renderer } from '../../rendering/index.ts';
import { draftLooksDocs, draftMenuDocs, draftPageDocs } from './docs.ts';
import { menuDraftOf, pageDraftOf } from './drafts/hosted-drafts.ts';
import { draftLooks, type Prove } from './looks/draft-looks.ts';
import type { Chat } from './model/chat.ts';
import { type DraftEnd, type Drafting, draft } from './model/draft.ts';

export interface AiOptions {
  /** Undefined without AI_URL. */
  model: { chat: Chat; timeoutMs: number } | undefined;
  renderer: Renderer;
  prove: Prove;
  onEnd(how: DraftEnd): void;
}

/** A model takes seconds for a draft: workspaces take turns. */
const asking = {
  runningMax: 8,
  waitingMax: 64,
  waitingPerTenantMax: 4,
  waitMsMax: 20_000,
  messages: {
    tenantFull: 'Too many of your drafts are waiting; send fewer at once',
    busy: 'Too many drafts are being made; try again shortly',
  },
};

/** An operator sets it up or does not: a retry in seconds is of no use. */
const unconfiguredRetrySeconds = 3_600;

const unconfigured = (): ClientError =>
  new ClientError('UNAVAILABLE', 'No model is configured: the operator of this service has not set AI_URL', {
    retryAfterSeconds: unconfiguredRetrySeconds,
  });

const post = { method: 'post', ipLimit: 'ai' } as const;

export const createAiOperations = ({ model, renderer, prove, onEnd }: AiOptions): Operation[] => {
  const gate = createFairGate(asking);

  /** @throws {ClientError} UNAVAILABLE without a model */
  const inTurn = <Made>(tenant: string, work: (drafting: Drafting) => Promise<Made>): Promise<Made> => {
    if (!model) throw unconfigured();
    return gate.pass({ tenant, cost: 1 }, () => work({ ...model, onEnd }));
  };

  return [
    operation({
      ...post,
      path: '/api/ai/style',
      permission: 'codes:write',
      body: draftLooksBody,
      bodyLimit: bodyLimits.publicCode,
      docs: draftLooksDocs,
      handle: async ({ principal: { workspaceId }, body }) => ({
        body: await inTurn(workspaceId, (drafting) =>
          draftLooks(body, workspaceId, { prove, renderer, drafting }),
        ),
      }),
    }),
    operation({
      ...post,
      path: '/api/ai/page',
      permission: 'pages:write',
      capability: 'landingPages',
      body: draftPageBody,
      docs: draftPageDocs,
      handle: async ({ principal: { workspaceId }, body: { text } }) => ({
        body: await inTurn(workspaceId, (drafting) => draft(pageDraftOf(text), { text }, drafting)),
      }),
    }),
    operation({
      ...post,
      path: '/api/ai/menu',
      permission: 'pages:write',
      capability: 'menus',
      body: draftMenuBody,
      docs: draftMenuDocs,
      handle: async ({ principal: { workspaceId }, body: { text } }) => ({
        body: await inTurn(workspaceId, (drafting) => draft(menuDraftOf(text), { text }, drafting)),
      }),
    }),
  ];
};
