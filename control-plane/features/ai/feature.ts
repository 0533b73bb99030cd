/** Drafts by a model of the operator: looks, landing pages and menus, which are answered and not stored. */
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { createOperatorPost } from '../../platform/outgoing/operator-post.ts';
import type { ProveLook } from '../brand-kits/prove-kit.ts';
import { createChat } from './model/chat.ts';
import { draftEnds } from './model/draft.ts';
import { createAiOperations } from './operations.ts';

const openModel = ({ config, onClose }: Services) => {
  const { ai: settings } = config;
  if (!settings) return undefined;
  const poster = createOperatorPost();
  onClose(() => poster.close());
  return { chat: createChat(settings, poster), timeoutMs: settings.timeoutMs };
};

/** @param proverOf proves looks of codes */
export const ai = (proverOf: (services: Services) => ProveLook): Feature => ({
  name: 'ai',
  open(services) {
    const { renderer, metrics } = services;
    return {
      operations: createAiOperations({
        model: openModel(services),
        renderer,
        prove: proverOf(services),
        onEnd: metrics.counter('ai_drafts_total', 'Drafts by the model, by how they ended', 'how', draftEnds),
      }),
    };
  },
});
