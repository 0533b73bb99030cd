/** Documentation of limits by address and of call limits. */
import { type CallLimitName, type IpLimitName, ipLimit } from '../access/ip-limits.ts';
import type { Operation } from '../http/operation.ts';
import { allowance, tooMany } from '../http/rate-headers.ts';

/** `3 exports in an hour (codes and scans together)` */
const allowanceOf = (name: IpLimitName): string => {
  const limit = ipLimit(name);
  const { together } = limit;
  return `${allowance(limit)}${together ? ` (${together} together)` : ''}`;
};

/** `At most 3 exports in an hour (codes and scans together)` */
export const callLimitText = (name: CallLimitName): string => `At most ${allowanceOf(name)}`;

/** The limit of an operation in addition to the plan's rate, as a sentence; undefined if it has none. */
export const limitSentence = (operation: Operation): string | undefined => {
  if (operation.ipLimit) return `At most ${allowanceOf(operation.ipLimit)} from one address`;
  if (operation.access === 'public') return undefined;
  const { callLimit } = operation;
  return callLimit && `${callLimitText(callLimit)} per subscription: see “Limits” in the introduction`;
};

/** `More than 3 exports in an hour of one subscription`; undefined if the operation has no such limit. */
export const limitReached = (operation: Operation): string | undefined => {
  const [name, sender] =
    operation.access === 'public' || operation.ipLimit
      ? ([operation.ipLimit, 'address'] as const)
      : ([operation.callLimit, 'subscription'] as const);
  return name && tooMany({ ...ipLimit(name), sender });
};
