/** The environment of the planes: the operator's, completed with embedded and generated values. */
import path from 'node:path';
import { missingVariables, type Settings, variableNames } from '#shared/config.ts';
import { createApiKey } from '#shared/ids.ts';
import { keepSecret } from '../data-dir/secrets.ts';
import type { Dependency } from '../parts/dependencies.ts';

export interface Secrets {
  secretKey: string;
  apiKey: string;
}

/**
 * The operator's own secrets, or the stored ones, generated on the first start.
 * @throws {ConfigError} if nothing is embedded and SECRET_KEY is not set
 */
export const keepSecrets = async (
  env: NodeJS.ProcessEnv,
  { dataDir, ...settings }: Settings,
): Promise<Secrets> => {
  const embedded = !settings.databaseUrl || !settings.redisUrl || !settings.clickhouseUrl;
  if (!embedded && !settings.secretKey)
    throw missingVariables(['SECRET_KEY'], env, 'npm start makes one while it embeds anything');
  return {
    secretKey: settings.secretKey ?? (await keepSecret(path.join(dataDir, 'secrets', 'secret-key'))),
    apiKey: settings.bootstrapApiKey ?? (await keepSecret(path.join(dataDir, 'api-key'), createApiKey)),
  };
};

export const planeEnvironment = (
  env: NodeJS.ProcessEnv,
  { dataDir }: Settings,
  { secretKey, apiKey }: Secrets,
  urls: Record<Dependency['variable'], string>,
): Record<string, string> => {
  const given = variableNames.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return {
    REDIRECTOR_WORKERS: '1',
    ...Object.fromEntries(given),
    ...urls,
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    BOOTSTRAP_API_KEY: apiKey,
  };
};
