/** Runs files of nginx's own test suite and parses their TAP output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

export interface FileResult {
  readonly name: string;
  /** Titles of passed and failed tests. Tests marked TODO are excluded. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Reason why the whole file was skipped, or `null` if it was not skipped. */
  readonly skipped: string | null;
  /** Number of planned tests that did not run because the test file ended early. */
  readonly missing: number;
  readonly errors: string;
}

/** Runs a test file in the directory of the suite, using the given executable instead of nginx. */
export async function playFile(folder: string, file: string, executable: string, seconds = 60): Promise<FileResult> {
  const child = spawn('perl', ['-I', 'lib', file], {
    cwd: folder,
    env: { ...process.env, TEST_NGINX_BINARY: executable },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), seconds * 1000);
  await once(child, 'exit');
  clearTimeout(timer);
  try {
    // Kills the servers left behind by a test that ended early.
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    // All processes have already exited.
  }
  return readTap(basename(file), output, errors);
}

function readTap(name: string, output: string, errors: string): FileResult {
  const passed: string[] = [];
  const failed: string[] = [];
  let skipped: string | null = null;
  let planned = 0;
  let todo = 0;
  for (const line of output.split('\n')) {
    const [, end, reason] = /^1\.\.(\d+)(?:\s*#\s*skip\s*(.*))?/i.exec(line) ?? [];
    if (end !== undefined) {
      planned = Number(end);
      if (planned === 0) skipped = reason ?? '';
    }
    const [, not, title = ''] = /^(not )?ok \d+(?: - )?(.*)$/.exec(line) ?? [];
    if (!/^(?:not )?ok \d/.test(line)) continue;
    if (/# (?:TODO|skip)/i.test(title)) todo++;
    else (not === undefined ? passed : failed).push(title);
  }
  return {
    name,
    passed,
    failed,
    skipped,
    missing: skipped !== null ? 0 : Math.max(planned, 1) - passed.length - failed.length - todo,
    errors: errors.slice(0, 2_000),
  };
}
