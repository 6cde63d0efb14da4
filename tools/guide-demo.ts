import path from 'node:path';
import { start } from '../packages/server/test/cli/kontor.ts';

/** A demo with its data in a folder, for the commands of a guide. */
export interface GuideDemo {
  /** The text with the addresses that the demo was started on. */
  here(text: string): string;
  /** The first key that it prints. */
  readonly key: string;
  stop(): Promise<void>;
}

/** Starts the demo on free ports. */
export async function startDemo(folder: string, env: Readonly<Record<string, string>>): Promise<GuideDemo> {
  const variables = {
    ...env,
    KONTOR_DATA_DIR: path.join(folder, '.kontor'),
    PORT: '0',
    MANAGEMENT_PORT: '0',
  };
  const running = start(['demo', '--json'], variables);
  const { baseUrl, managementUrl, key } = JSON.parse(await running.line(/^\{/)) as Record<string, string>;
  return {
    here: text =>
      text
        .replaceAll('http://127.0.0.1:8080', new URL(baseUrl!).origin)
        .replaceAll('http://127.0.0.1:8081', managementUrl!),
    key: key!,
    async stop() {
      process.kill(running.process.pid!, 'SIGINT');
      await running.ended;
    },
  };
}
