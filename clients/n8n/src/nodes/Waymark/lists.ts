/** The properties of every operation that returns many things: all of them, or a number of them. */
import type { NodeProperty, NodePropertyRouting } from '../../n8n-types.ts';

/** Things in a page of the API. */
const pageMax = 100;

interface PagedList {
  resource: string;
  /** The parameter that takes the cursor. */
  cursor: string;
  /** Whether there is another page, as an expression of the response. */
  hasMore: string;
}

/** The cursor of a page is in its path: n8n replaces the whole query if one is given, which would lose the filters. */
const pagination = ({ cursor, hasMore }: PagedList): NodePropertyRouting => ({
  send: {
    paginate: '={{ $value }}',
    type: 'query',
    property: 'limit',
    value: `={{ $value ? ${pageMax} : undefined }}`,
  },
  operations: {
    pagination: {
      type: 'generic',
      properties: {
        continue: `={{ ${hasMore} }}`,
        request: {
          url: `={{ $response.body ? $request.url.split("?")[0] + "?${cursor}=" + encodeURIComponent($response.body.pagination.nextCursor) : $request.url }}`,
        },
      },
    },
  },
});

export const listProperties = (list: PagedList): NodeProperty[] => {
  const show = { resource: [list.resource], operation: ['getAll'] };
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      displayOptions: { show },
      routing: pagination(list),
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: pageMax },
      default: 50,
      description: 'Max number of results to return',
      displayOptions: { show: { ...show, returnAll: [false] } },
      routing: { send: { type: 'query', property: 'limit' }, output: { maxResults: '={{ $value }}' } },
    },
  ];
};
