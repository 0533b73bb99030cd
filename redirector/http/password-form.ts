/** The body that carries a password: a form, or JSON from programs. */

/** @returns the password; empty if the body has none */
export const readPassword = (body: Buffer, contentType: string): string => {
  const text = body.toString('utf8');
  if (!contentType.startsWith('application/json')) return new URLSearchParams(text).get('password') ?? '';
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('password' in parsed)) return '';
    return typeof parsed.password === 'string' ? parsed.password : '';
  } catch {
    return ''; // a wrong password like any other
  }
};
