/** Documentation of limits by address and of call limits. */
import { type CallLimitName, type IpLimitName, ipLimit } from '../access/ip-limits.ts';
import type { Operation } from '../http/operation.ts';
import { allowance, tooMany } from '../http/rate-headers.ts';

/** `3 exports in an hour (those of codes and those of scans together)` */
const allowanceOf = (name: IpLimitName): string => {
  const limit = ipLimit(name);
  const { together } = limit;
  return `${allowance(limit)}${together ? ` (${together} together)` : ''}`;
};

/** `All keys of a subscription together may send 3 exports in an hour (those of codes and those of scans together)` */
export const callLimitSentence = (name: CallLimitName): string =>
  `All keys of a subscription together may send ${allowanceOf(name)}, from whatever addresses; without a valid key the same counts for each address`;

/** The limit of an operation in addition to the plan's rate, as a sentence; undefined if it has none. */
export const limitSentence = (operation: Operation): string | undefined => {
  if (operation.access !== 'public') return operation.callLimit && callLimitSentence(operation.callLimit);
  return operation.ipLimit && `One address may send ${allowanceOf(operation.ipLimit)}`;
};

/** `More than 3 exports in an hour of one subscription`; undefined if the operation has no such limit. */
export const limitReached = (operation: Operation): string | undefined => {
  const [name, sender] =
    operation.access === 'public'
      ? ([operation.ipLimit, 'address'] as const)
      : ([operation.callLimit, 'subscription'] as const);
  return name && tooMany({ ...ipLimit(name), sender });
};
