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
      'Brings an HR file into Kontor. It writes each change of the file once, and keeps what people changed in Kontor',
    )
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: text => void terminal.stdout.write(text),
      writeErr: text => void terminal.stderr.write(text),
    });

  const add = (declare: (command: Command) => Command, run: (...args: any[]) => Promise<Result>): void => {
    const command = declare(new Command())
      .option('--config <file>', 'the configuration file', 'kontor-sync.json')
      .option('--json', 'print the result as one JSON object')
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
        .option('--tenant <id>', 'the identifier of the company, if the key is for several'),
    (file: string, options: Parameters<typeof initCommand>[2]) => initCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('plan')
        .description('compare a file with Kontor, and write plan.json')
        .argument(...input)
        .option('--out <file>', 'where to write the plan', 'plan.json'),
    (file: string, options: Parameters<typeof planCommand>[2]) => planCommand(terminal, file, options),
  );
  add(
    command =>
      command
        .name('apply')
        .description('execute a plan, and nothing else')
        .argument('<plan>', 'a plan that kontor-sync plan has written')
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
        .description('copy the rows and payroll files of Kontor into a folder')
        .argument('<folder>', 'the folder for kontor.sqlite and files/')
        .addOption(new Option('--format <format...>', 'also write the rows into files').choices(formats))
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
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Write a whole number of people, such as 137.');
  return Number(text);
}
