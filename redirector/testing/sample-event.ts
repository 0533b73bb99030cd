/** A scan for tests. */
import type { ScanEvent } from '#schemas/scan-event.ts';

export const sampleEvent = (changes: Partial<ScanEvent> = {}): ScanEvent => ({
  tsMs: Date.now(),
  workspaceId: 'ws_test',
  codeId: 'abcdefghi',
  kind: 'scan',
  device: 'mobile',
  os: 'ios',
  visitorHigh: 1,
  visitorLow: 2,
  browser: 'Safari',
  country: 'DE',
  referrerHost: 'example.com',
  source: '',
  variantId: '',
  ruleId: '',
  ...changes,
});
