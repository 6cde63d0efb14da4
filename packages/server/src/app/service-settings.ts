import type { Config, SettingName } from '../config.ts';
import { mailSettingNames } from './mail-settings.ts';

/** The settings of a service. Its configuration type and the options of `kontor serve` derive from this list. */
export const serviceSettings = [
  'port',
  'host',
  'publicUrl',
  'trustedProxies',
  'forwardedHeader',
  'openIdIssuer',
  'openIdClientId',
  'openIdClientSecret',
  'openIdClientSecretFile',
  'openIdClientKeyFile',
  'openIdClientAuthentication',
  'openIdEmails',
  'openIdName',
  ...mailSettingNames,
  'managementPort',
  'managementHost',
  'dataDirectory',
  'redisUrl',
  'pepper',
  'previousPepper',
  'quota',
  'filesUrl',
  'fileTimeout',
  'poolSize',
  'requestTimeout',
  'listsPerKey',
  'jobInterval',
  'digestTime',
] as const satisfies readonly SettingName[];

export type ServiceConfig = Pick<Config, (typeof serviceSettings)[number]>;
