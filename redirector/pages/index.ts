/** The pages that answer scans, as pure functions of their contents. */
import type { OperatingSystem } from '#schemas/scan-event.ts';
import type { Decision } from '#shared/decide/decide.ts';
import { renderApp } from './app.ts';
import { renderContent } from './content/index.ts';
import { renderEncrypted } from './encrypted.ts';
import type { About } from './layout.ts';
import type { Page } from './page.ts';
import { renderPassword } from './password.ts';
import type { Reader } from './reader.ts';

export { type Answer, answers, pageOf } from './answers.ts';
export { type Brand, brandOf } from './brand.ts';
export { type FailureCode, failures, fullAnswer, fullText } from './failures.ts';
export { type About, jsonPage, redirectPage } from './layout.ts';
export { type Preview, renderPreview } from './preview.ts';
export { type Reader, readerOf, readerOfRequest } from './reader.ts';
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
  reader: Reader;
  about: About;
  /** The path of the code, with its query: its password form posts there. */
  path: string;
  /** Of the visitor's device. */
  os: OperatingSystem;
  /** Whether a password was given and was wrong. */
  failed?: boolean;
}

/** Never throws, whatever the record contains. */
export const renderPage = (decision: ShownDecision, context: PageContext): Page => {
  const { reader, about, failed = false } = context;
  switch (decision.kind) {
    case 'password':
      return renderPassword({ ...context, failed });
    case 'encrypted':
      return renderEncrypted(decision, reader, about);
    case 'app':
      return renderApp(decision.target, decision.fallback, reader, about);
    case 'content':
      return renderContent(decision.dataType, decision.payload, context);
  }
};
