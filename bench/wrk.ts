import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one run of wrk measured. */
export interface Load {
  readonly perSecond: number;
  /** Mebibytes of answers a second. */
  readonly mebibytes: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not 2xx; anything but 0 voids the figure. */
  readonly failures: number;
  /** Microseconds of a core that the service used for a request. Linux only. */
  readonly core?: number;
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The body of a Lua function of `n`, the number of the request in its thread, that answers `path, body, headers`;
   * `path` is the default of the URL when it is nil.
   */
  readonly request?: string;
  /** Lua that runs once a thread before the first request. */
  readonly setup?: string;
}

/** Loads the target from `clients` keep-alive connections for some seconds. */
export async function load(folder: string, target: Target, clients: number, seconds: number): Promise<Load> {
  const script = join(folder, 'load.lua');
  await writeFile(script, luaScript(target));
  const output = await run('wrk', [
    '-t1',
    `-c${clients}`,
    `-d${seconds}s`,
    '--timeout=30s',
    `-s${script}`,
    target.url,
  ]);
  const line = /^RESULT (\S+) (\S+) (\S+) (\S+) (\S+)$/m.exec(output);
  if (!line) throw new Error(`wrk printed no result:\n${output}`);
  const [perSecond, mebibytes, p50, p99, failures] = line.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { perSecond, mebibytes, p50, p99, failures };
}

function luaScript(target: Target): string {
  const headers = Object.entries(target.headers ?? {}).map(
    ([name, value]) => `[${lua(name)}] = ${lua(value)}`,
  );
  return `
${target.setup ?? ''}
local common = { ${headers.join(', ')} }
local n = 0
local function one(n) ${target.request ?? 'return nil'} end
function request()
  n = n + 1
  local path, body, more = one(n)
  local headers = common
  if more then
    headers = {}
    for k, v in pairs(common) do headers[k] = v end
    for k, v in pairs(more) do headers[k] = v end
  end
  return wrk.format(body and "POST" or "GET", path, headers, body)
end
function done(summary, latency)
  local seconds = summary.duration / 1e6
  local e = summary.errors
  local failures = e.status + e.connect + e.read + e.write + e.timeout
  io.write(string.format("RESULT %.2f %.2f %.3f %.3f %d\\n", summary.requests / seconds, summary.bytes / seconds / 1048576,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, failures))
end
`;
}

/** A string as Lua writes it; JSON's escapes are Lua's for everything that is used here. */
function lua(text: string): string {
  return JSON.stringify(text);
}

/** Runs a program and answers what it printed. @throws Error when it fails. */
export function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', code =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}:\n${output}`)),
    );
  });
}
