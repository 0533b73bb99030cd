/** A code as the API shows it. */
import type { CodeObject, WholeCodeObject } from '#schemas/api/codes.ts';
import { redirectUrl } from '#shared/redirect-url.ts';
import { type CodeSummary, secureKindsOf, type WholeCode } from './store/code.ts';

export const toCodeObject = (code: CodeSummary, scanCount: number, qrHost: string): CodeObject => {
  return {
    id: code.id,
    type: 'dynamic',
    name: code.name,
    dataType: code.dataType,
    destination: code.destination,
    redirectUrl: redirectUrl(qrHost, code),
    status: code.status,
    encrypted: code.encryption !== null,
    passwordProtected: code.passwordProtected,
    expiresAt: code.expiresAt?.toISOString() ?? null,
    maxScans: code.maxScans,
    scanCount,
    secure: secureKindsOf(code),
    createdAt: code.createdAt.toISOString(),
    updatedAt: code.updatedAt.toISOString(),
  };
};

export const toWholeCodeObject = (code: WholeCode, scanCount: number, qrHost: string): WholeCodeObject => ({
  ...toCodeObject(code, scanCount, qrHost),
  ...(code.campaign && { campaign: code.campaign }),
  ...(code.routingRules && { routingRules: code.routingRules }),
  ...(code.deepLinkConfig && { deepLinkConfig: code.deepLinkConfig }),
  ...(code.messages && { messages: code.messages }),
  ...(code.style && { style: code.style }),
  ...(code.sources && { sources: code.sources }),
});
