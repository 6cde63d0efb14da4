// For programs that embed the service instead of running the `kontor` command.

export { type Config, ConfigError, readConfig } from './config.ts';
export { type Database, openDatabase } from './db/connect.ts';
export { migrate } from './db/migrate.ts';
export { OperatorError } from './lib/operator-error.ts';
export { type RunningService, startService } from './app/service.ts';
export { type ServiceConfig, serviceSettings } from './app/service-settings.ts';
