/** The short URL of a code, which its pattern encodes and which never changes. */

export interface LinkedCode {
  id: string;
  /** The prefix of the id if the code was created with a workspace domain: `https://go.example.com/`. Null: QR_HOST. */
  linkBase: string | null;
}

/** @param qrHost an origin, such as `https://qr.example.com` */
export const redirectUrl = (qrHost: string, { id, linkBase }: LinkedCode): string =>
  `${linkBase ?? `${qrHost}/r/`}${id}`;

/** Another short path of a code. */
export interface LinkedAlias {
  alias: string;
  /** Null: QR_HOST. */
  domain: string | null;
}

/** ASCII: the alias is percent-encoded. @param qrHost as of {@link redirectUrl} */
export const aliasUrl = (qrHost: string, { alias, domain }: LinkedAlias): string =>
  `${domain === null ? `${qrHost}/r` : `https://${domain}`}/${encodeURIComponent(alias)}`;
