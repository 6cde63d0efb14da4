import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '@kontor/sdk';
import { applyCommand } from './commands/apply.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { planCommand } from './commands/plan.ts';
import { pullCommand } from './commands/pull.ts';
import { resolveCommand } from './commands/resolve.ts';
import { runCommand } from './commands/run.ts';
import { formats } from './pull/formats.ts';
import { resourceTypes } from './pull/resource-types.ts';
import type { Result } from './sync.ts';
import { messageOf } from './sync-error.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command, and returns its exit code: 0 done, 2 something is left to a person, 1 failed. */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('kontor-sync')
    .description(
      'Brings an HR file into Kontor: every change of the file once, and no change of a person lost',
    )
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: text => void terminal.stdout.write(text),
      writeErr: text => void terminal.stderr.write(text),
    });

  const add = (declare: (command: Command) => Command, run: (...args: any[]) => Promise<Result>): void => {
    const command = declare(new Command())
      .option('--config <file>', 'the configuration', 'kontor-sync.json')
      .option('--json', 'print one object of JSON')
      .exitOverride()
      .configureOutput(program.configureOutput())
      .action(async (...all: unknown[]) => {
        const result = await run(...all);
        exitCode = result.exitCode;
        const isJson = command.opts<{ json?: boolean }>().json;
        terminal.stdout.write(`${isJson ? JSON.stringify(result.json) : result.text}\n`);
      });
    program.addCommand(command);
  };

  const yesChange = new Option(
    '--yes-change <number>',
    'allow up to this many changed, new and blocked people, in spite of the brake',
  )
    .default(0)
    .argParser(parseCount);
  const input = ['<file>', 'a CSV file of people, or - for the standard input'] as const;

  add(
    command =>
      command
        .name('init')
        .description('look at the columns of a file, and write kontor-sync.json')
        .argument(...input)
        .option('--url <url>', 'the address of Kontor, such as https://kontor.example.com/v1')
        .option('--tenant <id>', 'the company, for a key of several'),
    (file: string, options: Parameters<typeof initCommand>[2]) => initCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('plan')
        .description('compare a file with Kontor, and write plan.json')
        .argument(...input)
        .option('--out <file>', 'the plan', 'plan.json'),
    (file: string, options: Parameters<typeof planCommand>[2]) => planCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('apply')
        .description('execute a plan, and nothing else')
        .argument('<plan>', 'the plan')
        .addOption(yesChange),
    (file: string, options: Parameters<typeof applyCommand>[2]) => applyCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('run')
        .description('plan and apply within the brake, for cron')
        .argument(...input)
        .addOption(yesChange),
    (file: string, options: Parameters<typeof runCommand>[2]) => runCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('resolve')
        .description('decide the conflicts of the last plan')
        .addOption(new Option('--take <side>', 'decide without asking').choices(['source', 'kontor']))
        .option('--person <number or email>', 'only the conflicts of this person')
        .option('--field <field>', 'only the conflicts of this field'),
    (options: Parameters<typeof resolveCommand>[1]) => resolveCommand(terminal, options),
  );
  add(
    command =>
      command
        .name('pull')
        .description('bring the rows and payroll files of Kontor into a folder')
        .argument('<folder>', 'the folder of kontor.sqlite, and of files/')
        .addOption(new Option('--format <format...>', 'write the rows into files as well').choices(formats))
        .addOption(new Option('--only <type...>', 'read these types only').choices(resourceTypes))
        .option('--full', 'read everything, not only the changes'),
    (folder: string, options: Parameters<typeof pullCommand>[2]) => pullCommand(terminal, folder, options),
  );
  add(
    command =>
      command
        .name('doctor')
        .description('check address, certificate, clock, contract, key, scope and quota, and say what to do'),
    (options: Parameters<typeof doctorCommand>[1]) => doctorCommand(terminal, options),
  );

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    // The line of the progress may be open.
    if (terminal.stderr.isTTY) terminal.stderr.write(`\r${' '.repeat(60)}\r`);
    terminal.stderr.write(`kontor-sync: ${messageOf(error)}\n`);
    return 1;
  }
}

function parseCount(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a number of people.');
  return Number(text);
}
