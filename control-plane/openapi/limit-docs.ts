/** What the documentation says about limits by address. */
import { type IpLimitName, ipLimit } from '../access/ip-limits.ts';
import { allowance, tooMany } from '../http/rate-headers.ts';

/** `One address may send 3 exports in an hour (those of codes and those of scans together)` */
export const addressLimitSentence = (name: IpLimitName): string => {
  const limit = ipLimit(name);
  const { together } = limit;
  return `One address may send ${allowance(limit)}${together ? ` (${together} together)` : ''}`;
};

/** `More than 3 exports in an hour from one address` */
export const addressLimitReached = (name: IpLimitName): string =>
  tooMany({ ...ipLimit(name), byAddress: true });
