/**
 * Whether a form was sent from a page of ours. There is no session that a foreign page could abuse: this only keeps
 * spam out.
 */

export interface SentFrom {
  /** Request headers; empty if missing. */
  origin: string;
  fetchSite: string;
  host: string;
}

/**
 * Programs send neither header. Browsers send `Origin` with each POST. It must be one of our origins, or the origin
 * at which the request arrived, which is the page's own under any name of this machine in its network.
 * @param origins public origins of the service
 */
export const isFromOurPage = ({ origin, fetchSite, host }: SentFrom, origins: readonly string[]): boolean => {
  if (fetchSite === 'cross-site') return false;
  if (origin === '' || origins.includes(origin)) return true;
  return URL.canParse(origin) && host !== '' && new URL(origin).host === host.toLowerCase();
};
