import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { kontorHere } from './in-process.ts';

/** Asks a shell what may stand for the last of these words, after its script was read from a file. */
type Complete = (script: string, words: readonly string[]) => string[];

const lines = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '');

/** As bash does it: the function of the script is given the words and answers in an array. */
const bash: Complete = (script, words) => {
  const ask =
    'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _kontor; printf "%s\\n" "${COMPREPLY[@]}"';
  return lines('bash', '-c', ask, script, ...words);
};

/** What zsh is handed to choose from: it does so itself, in a terminal only. */
const zsh: Complete = (script, words) => {
  const ask = `compdef() { : }; _files() { print files }; _describe() { print -rl -- "\${(@P)@[-1]}" }
    source $1; shift; words=("$@"); CURRENT=$#words; _kontor`;
  return lines('zsh', '-f', '-c', ask, 'zsh', script, ...words)
    .map(line => line.split(':')[0]!)
    .filter(name => name.startsWith(words.at(-1)!));
};

/** As fish does it, with the description behind a tabulator. */
const fish: Complete = (script, words) =>
  lines('fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, words.join(' ')).map(
    line => line.split('\t')[0]!,
  );

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-completion-'));
});
after(() => rm(folder, { recursive: true }));

for (const [shell, complete] of Object.entries({ bash, zsh, fish })) {
  const missing = spawnSync(shell, ['--version']).error !== undefined && `there is no ${shell}`;
  describe(`the completion of ${shell}`, { skip: missing }, () => {
    let script: string;
    before(async () => {
      const { code, stdout } = await kontorHere(['completion', shell], {});
      assert.equal(code, 0);
      script = path.join(folder, shell);
      await writeFile(script, stdout);
    });

    test('offers commands, subcommands and options', () => {
      const offered = (...words: string[]) => complete(script, ['kontor', ...words]).toSorted();
      assert.deepEqual(offered('mig'), ['migrate']);
      assert.deepEqual(offered('key', 'r'), ['reactivate', 'rotate']);
      assert.deepEqual(offered('key', 'create', '--ex'), ['--expires']);
      assert.deepEqual(offered('serve', '--dr'), ['--drain']);
      // It is for the embedded database alone.
      assert.deepEqual(offered('backup', 'place', '--data'), ['--data-dir']);
      assert.deepEqual(offered('import', 'employees', '--tenant', 'x', '--ig'), ['--ignore']);
    });
  });
}

test('a shell that there is no completion for is an error', async () => {
  const { code, stderr } = await kontorHere(['completion', 'tcsh'], {});
  assert.deepEqual([code, /bash, zsh, fish/.test(stderr)], [1, true]);
});
