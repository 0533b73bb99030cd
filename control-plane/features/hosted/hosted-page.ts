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
  /** Of its own texts, told when they were written: '' where they do not tell, null where nobody has looked yet. */
  language?: string | null;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
