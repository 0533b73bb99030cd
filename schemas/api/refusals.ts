/** What every refusal of the control plane has at its end, for refusals with fields of their own. */
import { ownText } from './text.ts';

export const refusalHelp = {
  docUrl: ownText().optional().describe('The URL of the explanation of `code`.'),
  requestId: ownText().optional().describe('The id of the request, as in the header `request-id`.'),
};
