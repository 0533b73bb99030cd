/** Whether a form was sent from a page of ours. There is no session that a foreign page could use: it is spam that is kept out. */

export interface SentFrom {
  /** Headers of the request; empty where they are missing. */
  origin: string;
  fetchSite: string;
  host: string;
}

/**
 * Programs send neither header. Browsers send `Origin` with each POST: one of our origins, or the one at which the request arrives,
 * which is the page's own however this machine is called in its network.
 * @param origins of the service, as the world sees them
 */
export const isFromOurPage = ({ origin, fetchSite, host }: SentFrom, origins: readonly string[]): boolean => {
  if (fetchSite === 'cross-site') return false;
  if (origin === '' || origins.includes(origin)) return true;
  return URL.canParse(origin) && host !== '' && new URL(origin).host === host.toLowerCase();
};
