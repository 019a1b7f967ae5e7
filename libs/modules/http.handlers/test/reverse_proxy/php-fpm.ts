import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { until, type Closing } from './support.ts';

/** Directories in which Debian installs php-fpm, with the version in the file name. */
const folders = ['/usr/sbin', '/usr/local/sbin'];

/** Returns the php-fpm command, or `null` if php-fpm is not installed. */
export function findPhpFpm(): string | null {
  for (const folder of folders) {
    const found = existsSync(folder) ? readdirSync(folder).find((name) => /^php-fpm[\d.]*$/.test(name)) : undefined;
    if (found !== undefined) return join(folder, found);
  }
  return null;
}

/** A running php-fpm. */
export interface PhpFpm extends Closing {
  /** `unix/<path>`. */
  readonly dial: string;
  /** Directory of the PHP scripts. */
  readonly root: string;
}

/** Starts php-fpm with the given scripts. It listens on a Unix socket in a temporary directory. */
export async function startPhpFpm(command: string, scripts: Readonly<Record<string, string>>): Promise<PhpFpm> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-php-'));
  const socket = join(root, 'fpm.sock');
  for (const [name, script] of Object.entries(scripts)) writeFileSync(join(root, name), script);
  const { username } = userInfo();
  const pool = ['[test]', `user = ${username}`, `listen = ${socket}`, 'pm = static', 'pm.max_children = 2'];
  const config = ['[global]', `error_log = ${join(root, 'log')}`, 'daemonize = no', ...pool, ''].join('\n');
  writeFileSync(join(root, 'fpm.conf'), config);
  const asRoot = process.getuid?.() === 0 ? ['--allow-to-run-as-root'] : [];
  const child = spawn(command, ['--nodaemonize', ...asRoot, '--fpm-config', join(root, 'fpm.conf')], {
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await until(() => existsSync(socket) || child.exitCode !== null, 'the socket of php-fpm');
  return {
    dial: `unix/${socket}`,
    root,
    close: async () => {
      child.kill('SIGTERM');
      await gone;
      rmSync(root, { recursive: true });
    },
  };
}
