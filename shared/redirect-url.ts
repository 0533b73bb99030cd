/** The short URL of a code: the one that its pattern encodes. @param qrHost an origin, such as `https://qr.example.com` */
export const redirectUrl = (qrHost: string, id: string): string => `${qrHost}/r/${id}`;
