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
  content: Content;
  /** Grows by one with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}
