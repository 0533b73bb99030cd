/** Reads a User-Agent header: device, operating system, browser, and whether a program sent it. */
import { createHash } from 'node:crypto';
import Bowser from 'bowser';
import { isbot } from 'isbot';
import type { Device, OperatingSystem } from '#schemas/scan-event.ts';

export interface UserAgent {
  /** Crawlers, link previews, monitoring and HTTP libraries. */
  bot: boolean;
  device: Device;
  os: OperatingSystem;
  /** Such as `Chrome`; empty if unknown. */
  browser: string;
  /** 64 bits of a hash of the header, for a visitor's hash, as two Int32. */
  hashHigh: number;
  hashLow: number;
}

/** Longer headers are cut: browsers do not send them, and the text is a cache key. */
const userAgentLengthMax = 512;

export const cutUserAgent = (header: string): string =>
  header.length > userAgentLengthMax ? header.slice(0, userAgentLengthMax) : header;

const operatingSystemOf: Record<string, OperatingSystem> = {
  ios: 'ios',
  android: 'android',
  windows: 'windows',
  macos: 'macos',
  linux: 'linux',
};

const deviceOf = (platform: string | undefined): Device => {
  if (platform === 'mobile' || platform === 'tablet' || platform === 'bot') return platform;
  return 'desktop';
};

/** Takes some 24 µs: a caller with many headers to read caches the results. */
export const parseUserAgent = (header: string): UserAgent => {
  const text = cutUserAgent(header);
  const hash = createHash('sha256').update(text).digest();
  const hashes = { hashHigh: hash.readInt32LE(4), hashLow: hash.readInt32LE(0) };
  // A request without the header is from a program: every browser sends one.
  if (text === '' || isbot(text)) return { bot: true, device: 'bot', os: 'other', browser: '', ...hashes };
  const { browser, os, platform } = Bowser.parse(text);
  const osName = os.name?.toLowerCase() ?? '';
  return {
    bot: false,
    device: deviceOf(platform.type),
    os: operatingSystemOf[osName] ?? 'other',
    browser: (browser.name ?? '').slice(0, 64),
    ...hashes,
  };
};
