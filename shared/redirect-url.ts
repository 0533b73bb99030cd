/** The short URL of a code, which its pattern encodes and which never changes. */

export interface LinkedCode {
  id: string;
  /** The prefix of the id if the code was created with a workspace domain: `https://go.example.com/`. Null: QR_HOST. */
  linkBase: string | null;
}

/** @param qrHost an origin, such as `https://qr.example.com` */
export const redirectUrl = (qrHost: string, { id, linkBase }: LinkedCode): string =>
  `${linkBase ?? `${qrHost}/r/`}${id}`;
