/** The short URL of a code: the one that its pattern encodes, and that never changes. */

export interface LinkedCode {
  id: string;
  /** What is before the id where the code was made with a domain of its workspace: `https://go.example.com/`. Null: QR_HOST. */
  linkBase: string | null;
}

/** @param qrHost an origin, such as `https://qr.example.com` */
export const redirectUrl = (qrHost: string, { id, linkBase }: LinkedCode): string =>
  `${linkBase ?? `${qrHost}/r/`}${id}`;
