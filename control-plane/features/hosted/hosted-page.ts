/** A landing page, form or menu as stored in PostgreSQL. */

import type { HostedKind } from '#schemas/page-document.ts';

export interface HostedPage<Content = unknown> {
  id: string;
  kind: HostedKind;
  workspaceId: string;
  /** The owner's name for it. */
  name: string;
  status: 'active' | 'paused';
  /** Only what a paused page shows if the page is large: then `contentText` has everything. */
  content: Content;
  /** JSON. */
  contentText?: string | null;
  /** The language of its own texts, detected on write; '' if unclear. Absent if the page is not stored. */
  language?: string;
  /** Incremented by each change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
