/** Errors in words for a terminal. */
import { WaymarkError } from '@waymark/client';

/** The reason, the code and the id of the request, for a refusal; the reason and its cause for anything else. */
export const failureText = (error: unknown): string => {
  if (error instanceof WaymarkError) {
    const facts = [error.status, error.code, error.requestId && `request ${error.requestId}`].filter(Boolean);
    return `${error.message} (${facts.join(', ')})`;
  }
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return cause ? `${error.message}: ${cause}` : error.message;
};
