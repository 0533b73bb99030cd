/** The pages that answer scans, as pure functions of their contents. */
import type { Decision } from '#shared/decide/decide.ts';
import { renderApp } from './app.ts';
import { renderContent } from './content/index.ts';
import { renderEncrypted } from './encrypted.ts';
import type { Page } from './page.ts';
import { renderPassword } from './password.ts';

export { type Answer, answers, pageOf } from './answers.ts';
export { type FailureCode, failurePages, fullAnswer, fullText } from './failures.ts';
export { jsonPage } from './layout.ts';
export { createNotFoundPages, type NotFoundPages } from './not-found/index.ts';
export {
  createVerificationPages,
  createVerificationPagesOf,
  type VerificationPages,
  type VerificationPagesOf,
  type VerificationView,
} from './verification/index.ts';

/** A decision with a page of its own: neither a redirect nor a page that is the same for every code. */
export type ShownDecision = Extract<Decision, { kind: 'app' | 'encrypted' | 'content' | 'password' }>;

export interface PageContext {
  /** The path of the code, with its query: its password form posts there. */
  path: string;
  /** Whether a password was given and was wrong. */
  failed?: boolean;
  /** A page, or JSON. */
  wantsPage: boolean;
}

/** Never throws, whatever the record contains. */
export const renderPage = (
  decision: ShownDecision,
  { path, failed = false, wantsPage }: PageContext,
): Page => {
  switch (decision.kind) {
    case 'password':
      return renderPassword(path, failed, wantsPage);
    case 'encrypted':
      return renderEncrypted(decision, wantsPage);
    case 'app':
      return renderApp(decision.target, decision.fallback, wantsPage);
    case 'content':
      return renderContent(decision.dataType, decision.payload, wantsPage);
  }
};
