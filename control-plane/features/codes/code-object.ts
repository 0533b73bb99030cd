/** A code as the API shows it. */
import type { CodeObject, Expansion, ListedCodeObject, WholeCodeObject } from '#schemas/api/codes.ts';
import { aliasUrl, redirectUrl } from '#shared/redirect-url.ts';
import { type CodeSummary, type ListedCode, secureKindsOf, type WholeCode } from './store/code.ts';
import { shownRouting } from './store/routing.ts';

const suspensionOf = ({ suspendedAt, suspensionReason }: CodeSummary): CodeObject['suspension'] =>
  suspendedAt && { reason: suspensionReason ?? '', since: suspendedAt.toISOString() };

export const toCodeObject = (code: CodeSummary, scanCount: number, qrHost: string): CodeObject => {
  return {
    id: code.id,
    type: 'dynamic',
    name: code.name,
    dataType: code.dataType,
    destination: code.destination,
    redirectUrl: redirectUrl(qrHost, code),
    status: code.status,
    suspension: suspensionOf(code),
    encrypted: code.encryption !== null,
    passwordProtected: code.passwordProtected,
    expiresAt: code.expiresAt?.toISOString() ?? null,
    maxScans: code.maxScans,
    scanCount,
    lastScannedAt: code.lastScannedAt?.toISOString() ?? null,
    secure: secureKindsOf(code),
    externalId: code.externalId,
    metadata: code.metadata ?? {},
    notes: code.notes,
    createdBy: code.createdBy,
    tags: code.tags,
    folderId: code.folderId,
    archived: code.archived,
    importId: code.importId,
    importedScanCount: code.importedScanCount,
    healthCheck: code.healthCheck,
    destinationHealth: code.destinationHealth,
    createdAt: code.createdAt.toISOString(),
    updatedAt: code.updatedAt.toISOString(),
  };
};

export const toWholeCodeObject = (code: WholeCode, scanCount: number, qrHost: string): WholeCodeObject => ({
  ...toCodeObject(code, scanCount, qrHost),
  ...(code.data && { data: { ...code.data } }),
  ...(code.encryption && { encryption: { type: code.encryption } }),
  ...(code.campaign && { campaign: code.campaign }),
  ...(code.routingRules && { routingRules: code.routingRules }),
  ...(code.deepLinkConfig && { deepLinkConfig: code.deepLinkConfig }),
  ...(code.messages && { messages: code.messages }),
  ...shownRouting(code.routing, new Date()),
  ...(code.analytics === 'none' && { analytics: code.analytics }),
  ...(code.style && { style: code.style }),
  ...(code.sources && { sources: code.sources }),
  ...(code.aliases && { aliases: code.aliases.map((alias) => aliasUrl(qrHost, alias)) }),
});

/** A code in a list. @param expand what it shows beside the usual, each only if it is set */
export const toListedCodeObject =
  (expand: readonly Expansion[]) =>
  (code: ListedCode, scanCount: number, qrHost: string): ListedCodeObject => {
    if (expand.length === 0) return toCodeObject(code, scanCount, qrHost);
    const { data, encryption, style, campaign, routingRules, deepLinkConfig, messages, sources } = code;
    const routing = shownRouting(code.routing ?? null, new Date());
    const all = { data, style, campaign, routingRules, deepLinkConfig, messages, sources };
    const shown: Partial<Record<Expansion, unknown>> = {
      ...all,
      ...routing,
      encryption: encryption && { type: encryption },
    };
    const expanded = expand.flatMap((name) => (shown[name] ? [[name, shown[name]]] : []));
    return { ...toCodeObject(code, scanCount, qrHost), ...Object.fromEntries(expanded) };
  };
