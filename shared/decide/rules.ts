/** Routing rules: the first whose condition matches the scan decides. */
import type { RoutingCondition } from '#schemas/code-record.ts';
import type { Device, OperatingSystem } from '#schemas/scan-event.ts';

const lists = <T>(values: readonly T[] | undefined, value: T): boolean =>
  values === undefined || values.includes(value);

/** An absent part of a condition matches every scan. @param scan its country is in upper case, empty if unknown */
export const matches = (
  { country, device, os }: RoutingCondition,
  scan: { country: string; device: Device; os: OperatingSystem },
): boolean => lists(country, scan.country) && lists(device, scan.device) && lists(os, scan.os);
