/** Deep links: a phone whose system has an app target is sent to the app. */
import type { AppTarget, CodeRecord } from '#schemas/code-record.ts';
import type { OperatingSystem } from '#schemas/scan-event.ts';

export const appTarget = (
  { deepLink }: Pick<CodeRecord, 'deepLink'>,
  os: OperatingSystem,
): AppTarget | undefined => (os === 'ios' ? deepLink?.ios : os === 'android' ? deepLink?.android : undefined);
