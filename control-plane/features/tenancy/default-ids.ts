/** Of the workspace that BOOTSTRAP_API_KEY opens. */

/** Fixed, so that processes starting at the same time use the same workspace; no generated id can equal them. */
export const defaultIds = { workspaceId: 'ws_default', subscriptionId: 'sub_default' };
