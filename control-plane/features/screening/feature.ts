/** Screening: what operators block, and who asks whether a destination is blocked. */
import dns from 'node:dns';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { createScreening } from './screening.ts';
import { screeningVerbs } from './verbs.ts';
import { createWebRisk, type WebRisk, webRiskOutcomes } from './web-risk.ts';

const webRiskOf = ({ config: { webRiskUrl: url }, metrics, onClose }: Services): WebRisk | undefined => {
  if (url === undefined) return undefined;
  // The operator names it: it may be in the operator's own network.
  const fetch = createSafeFetch({ isAllowed: () => true, resolve: dns.lookup });
  onClose(() => fetch.close());
  const onOutcome = metrics.counter(
    'web_risk_requests_total',
    'Questions to the web-risk service, by outcome; skipped: it failed just before, too many waited, or one write asked for too much',
    'outcome',
    webRiskOutcomes,
  );
  return createWebRisk({ url, fetch, onOutcome });
};

export const screeningOf = oncePerProcess((services) => createScreening(services.pool, webRiskOf(services)));

export const screening: Feature = {
  name: 'screening',
  tables: ['blocked_destinations'],
  verbs: screeningVerbs,
};
