import { loadCommands } from '../../packages/server/src/cli/commands.ts';

const commands = await loadCommands();

/** The words of all commands, for help and completion: JSON leaves out their functions. */
export function renderCommands(): string {
  return JSON.stringify(commands);
}
