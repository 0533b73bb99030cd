/** The installation shared by the tests of installation.test.ts: a start costs more than all of them. */
import { type Installation, startInstallation } from '../installation.ts';

export let waymark: Installation;

/** With several redirector processes, behind a proxy that sets a phone's country. */
export const startSharedInstallation = async (): Promise<void> => {
  waymark = await startInstallation({
    EXAMPLES: 'true',
    REDIRECTOR_WORKERS: '3',
    TRUSTED_PROXIES: '127.0.0.1',
    COUNTRY_HEADER: 'CF-IPCountry',
  });
};
