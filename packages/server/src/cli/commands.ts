import type { CommandDefinition } from './program/command.ts';

type Load = () => Promise<{ readonly commands: readonly CommandDefinition[] }>;

/** The modules of the commands by first words, in the order of the help. One is loaded when one of its commands is used. */
const modules: readonly (readonly [words: readonly string[], load: Load])[] = [
  [['demo'], () => import('./demo/demo.ts')],
  [['serve'], () => import('./service/serve.ts')],
  [['migrate'], () => import('./service/migrate.ts')],
  [['backup', 'restore'], () => import('./backup/backup.ts')],
  [['verify'], () => import('./service/verify.ts')],
  [['organization'], () => import('./organization/organization.ts')],
  [['tenant'], () => import('./organization/tenant.ts')],
  [['division'], () => import('./organization/division.ts')],
  [['key', 'usage'], () => import('./access/key.ts')],
  [['platform-token'], () => import('./access/platform-token.ts')],
  [['audit'], () => import('./access/audit.ts')],
  [['user'], () => import('./access/user.ts')],
  [['mail'], () => import('./service/mail.ts')],
  [['import'], () => import('./records/import.ts')],
  [['employee'], () => import('./records/employee.ts')],
  [['order'], () => import('./records/order.ts')],
  [['division', 'employee', 'order', 'incident', 'document'], () => import('./records/list-and-show.ts')],
  [['payroll'], () => import('./payroll/settings.ts')],
  [['payroll'], () => import('./payroll/run.ts')],
  [['payroll'], () => import('./payroll/show.ts')],
  [['payroll'], () => import('./payroll/receipts.ts')],
  [['completion'], () => import('./service/completion.ts')],
];

async function loadAll(loads: readonly Load[]): Promise<CommandDefinition[]> {
  const loaded = await Promise.all(loads.map(load => load()));
  return loaded.flatMap(({ commands }) => commands);
}

/** Loads a command of `data/commands.json`. */
export async function loadCommand(name: string): Promise<CommandDefinition> {
  const first = name.split(' ')[0]!;
  const loaded = await loadAll(modules.filter(([words]) => words.includes(first)).map(([, load]) => load));
  return loaded.find(command => command.name === name)!;
}

/** Loads all commands: `npm run generate` describes them in `data/commands.json`. */
export function loadCommands(): Promise<CommandDefinition[]> {
  return loadAll(modules.map(([, load]) => load));
}
