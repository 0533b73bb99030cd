/** A landing page, form or menu as PostgreSQL holds it. */

export const hostedKinds = ['landing_page', 'form', 'menu'] as const;
export type HostedKind = (typeof hostedKinds)[number];

export interface HostedPage<Content = unknown> {
  id: string;
  kind: HostedKind;
  workspaceId: string;
  /** Its owner's name for it. */
  name: string;
  status: 'active' | 'paused';
  /** Of a large page it is the theme alone, and `contentText` is all of it. */
  content: Content;
  /** JSON. */
  contentText?: string | null;
  /** The language of its own texts, detected when they are written: '' if they do not show it. A page that is not stored has none. */
  language?: string;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
