import type { Config, SettingName } from '../config.ts';
import { mailSettingNames } from '../mail/settings.ts';

/** The settings that a service reads. Its configuration type follows from this list, and so does what `kontor serve` offers. */
export const serviceSettings = [
  'port',
  'host',
  'publicUrl',
  'trustedProxies',
  'openIdIssuer',
  'openIdClientId',
  'openIdClientSecret',
  'openIdClientSecretFile',
  'openIdName',
  ...mailSettingNames,
  'managementPort',
  'managementHost',
  'dataDirectory',
  'redisUrl',
  'pepper',
  'quota',
  'filesUrl',
  'fileTimeout',
  'poolSize',
  'requestTimeout',
  'listsPerKey',
  'jobInterval',
] as const satisfies readonly SettingName[];

/** The configuration of a service. */
export type ServiceConfig = Pick<Config, (typeof serviceSettings)[number]>;
