import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineCommand } from '../../src/cli/program/command.ts';
import { runService, runSettings } from '../../src/cli/service/serve.ts';
import { readConfig, type SettingName } from '../../src/config.ts';
import type { startService } from '../../src/app/service.ts';
import { type ServiceConfig, serviceSettings } from '../../src/app/service-settings.ts';

const forgetful = serviceSettings.filter(name => name !== 'trustedProxies');
const run = runSettings;
const forgetfulRun = run.filter(name => name !== 'trustedProxies');
type ServiceParts = Omit<Parameters<typeof startService>[0], 'config'>;
type RunParts = Omit<Parameters<typeof runService>[2], 'config'>;
const definition = { name: 'test', summary: 'test', example: '' };

/** Checked by the compiler, never called: each line marked as an error must be one. */
export function forgottenSettings(
  start: typeof startService,
  parts: ServiceParts,
  runParts: RunParts,
  log: Parameters<typeof runService>[1],
): unknown[] {
  return [
    defineCommand({
      ...definition,
      settings: serviceSettings,
      run: async ({ config }) => start({ ...parts, config }).then(() => null),
    }),
    defineCommand({
      ...definition,
      settings: forgetful,
      // @ts-expect-error: the service needs trustedProxies
      run: async ({ config }) => start({ ...parts, config }).then(() => null),
    }),
    defineCommand({
      ...definition,
      settings: run,
      run: async (context): Promise<null> =>
        runService(context, log, { ...runParts, config: context.config }).then(() => null),
    }),
    defineCommand({
      ...definition,
      settings: forgetfulRun,
      run: async (context): Promise<null> =>
        // @ts-expect-error: the service needs trustedProxies
        runService(context, log, { ...runParts, config: context.config }).then(() => null),
    }),
    defineCommand({
      ...definition,
      settings: ['port'],
      // @ts-expect-error: host is not listed
      run: ({ config }) => Promise.resolve({ json: { host: config.host }, text: '' }),
    }),
    defineCommand({
      ...definition,
      settings: ['publicUrl'],
      // @ts-expect-error: the settings of the database are not listed
      run: async context => context.openDatabase().then(() => null),
    }),
    defineCommand({
      ...definition,
      // @ts-expect-error: there is no such setting
      settings: ['trustedProxy'],
      run: () => Promise.resolve(null),
    }),
    // @ts-expect-error: trustedProxies is not read
    readConfig(forgetful, {}, {}) satisfies ServiceConfig,
    readConfig(serviceSettings, {}, {}) satisfies ServiceConfig,
    // @ts-expect-error: there is no such setting
    'trustedProxy' satisfies SettingName,
  ];
}

test('a command that hands on a setting which it does not list does not type-check', () => {
  assert.equal(typeof forgottenSettings, 'function');
});
