/** Whether the Accept header asks for a page: browsers name text/html, programs do not. */
export const wantsPage = (accept: string): boolean => accept.includes('text/html');
