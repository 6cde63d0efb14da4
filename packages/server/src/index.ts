// What a program may use that runs the service by itself, instead of the `kontor` command.

export { type Config, ConfigError, readConfig } from './config.ts';
export { type Database, openDatabase } from './database/connect.ts';
export { migrate } from './database/migrate.ts';
export { OperatorError } from './database/operator-error.ts';
export { type RunningService, startService } from './service.ts';
export { type ServiceConfig, serviceSettings } from './service-settings.ts';
