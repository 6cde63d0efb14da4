import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Writes an archive with a folder named after it: a backup of the demo, and the keys of the demo. So the rows are as this version stores them, and its
 * own command has written them.
 */
export async function writeDemoRows(root: string, archive: string): Promise<void> {
  const program = path.join(root, 'packages/server/bin/kontor.js');
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-rows-'));
  const name = path.basename(archive, '.tar.gz');
  const [data, backup] = [path.join(folder, 'data'), path.join(folder, name)];
  try {
    const ports = ['--port', '0', '--management-port', '0'];
    const demo = spawn(process.execPath, [program, 'demo', '--data-dir', data, '--json', ...ports], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(demo, 'exit');
    const ready = once(createInterface(demo.stdout), 'line').then(() => true);
    if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error('the demo did not start');
    // The service is running and has taken the reports of the demo.
    execFileSync(process.execPath, [program, 'backup', backup, '--data-dir', data], { stdio: 'inherit' });
    demo.kill('SIGTERM');
    await ended;
    await copyFile(path.join(data, 'demo.json'), path.join(backup, 'demo.json'));
    execFileSync('tar', ['--owner=0', '--group=0', '-C', folder, '-czf', archive, name]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
