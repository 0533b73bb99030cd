/**
 * APP_LINKS_ALLOW: the apps that may open links of the host shared by all workspaces. Its entries are separated by
 * commas or white space. Each is an iOS app (`ABCDE12345.com.example.app`), an Android app with a certificate's SHA-256
 * (`com.example.app=AB:CD:…`; repeated for each further certificate), or a workspace (`ws_…`), whose codes may name any
 * app.
 */
import { z } from 'zod';

export interface AppLinksAllowed {
  iosAppIds: readonly string[];
  androidApps: readonly { package: string; sha256CertFingerprint: string }[];
  workspaceIds: readonly string[];
}

/** Far more than an operator writes by hand. */
const appLinksAllowMax = 1_000;

const iosAppId = /^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;
const androidApp = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)+)=((?:[0-9a-f]{2}:){31}[0-9a-f]{2})$/i;
const workspaceId = /^ws_\w{1,64}$/;

const accepted =
  'an iOS app such as ABCDE12345.com.example.app, an Android app such as com.example.app=<SHA-256 of its certificate, ' +
  '32 pairs of hexadecimal digits with colons between>, or a workspace such as ws_4nX5cPq7Rk2mQw8Z';

/** Parses the variable's text. An issue names the first wrong entry. */
export const appLinksAllow = z.string().transform((text, context): AppLinksAllowed => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length > appLinksAllowMax) return refuse(`must have at most ${appLinksAllowMax} entries`);
  const iosAppIds: string[] = [];
  const androidApps: AppLinksAllowed['androidApps'][number][] = [];
  const workspaceIds: string[] = [];
  for (const entry of entries) {
    const android = androidApp.exec(entry);
    if (android) androidApps.push({ package: android[1]!, sha256CertFingerprint: android[2]!.toUpperCase() });
    else if (workspaceId.test(entry)) workspaceIds.push(entry);
    else if (iosAppId.test(entry)) iosAppIds.push(entry);
    else return refuse(`has the entry ${entry.slice(0, 200)}; an entry must be ${accepted}`);
  }
  return { iosAppIds, androidApps, workspaceIds };
});
