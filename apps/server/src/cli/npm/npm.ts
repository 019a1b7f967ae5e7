/** Runs npm in the user's module directory. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { configDirectory, makeDirectorySync } from '@sluice/base';
import { CommandError } from '../../failure.ts';

/** Returns the directory from which the server automatically loads module packages. It is next to the saved configuration. */
export function modulesFolder(): string {
  return join(configDirectory(), 'modules');
}

export interface NpmResult {
  readonly code: number;
  readonly stdout: string;
}

/**
 * Runs an npm command. Install scripts are disabled. Peer dependencies are not installed, because packages use the server's own copy of
 * `@sluice/…`.
 */
export function npm(command: string, args: readonly string[]): Promise<NpmResult> {
  const folder = modulesFolder();
  makeDirectorySync(folder);
  const safe = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-update-notifier'];
  const child = spawn('npm', [command, '--prefix', folder, ...safe, ...args], {
    // Set the directory explicitly, because the working directory could be in one of the user's npm workspaces.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(new CommandError(startProblem(error, folder), error)));
    child.once('close', (code) => resolve({ code: code ?? 1, stdout }));
  });
}

/** Runs an npm command like {@link npm}, but throws if the command fails. */
export async function requireNpm(command: string, args: readonly string[]): Promise<string> {
  const { code, stdout } = await npm(command, args);
  if (code !== 0) throw new CommandError(`npm ${command} failed with exit code ${code}; see its messages above`);
  return stdout;
}

/** Returns a description of a failure to start npm. The binary, the Debian package and the image do not contain npm. */
function startProblem(error: NodeJS.ErrnoException, folder: string): string {
  if (error.code !== 'ENOENT') return `cannot start npm: ${error.message}`;
  const copy = `on another machine, run \`npm install --prefix DIRECTORY PACKAGE\` and copy DIRECTORY to ${folder}`;
  return `npm is not installed: install Node.js, which includes npm, or ${copy}`;
}
