/** Runs nginx as a child process with a separate prefix directory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listening } from './ask.ts';

export interface NginxProcess {
  stop(): Promise<void>;
}

/** Returns additional configuration that lets nginx run in the foreground without privileges. */
function preamble(prefix: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${prefix}/${kind};`)
    .join(' ');
  return `daemon off; master_process off; pid ${prefix}/pid; error_log ${prefix}/error.log; events {} http { ${temporary} access_log off; `;
}

/** Starts nginx with the given `http` block content in `folder`. Resolves when the port accepts connections. */
export async function startNginx(
  command: string,
  prefix: string,
  { text, port }: { readonly text: string; readonly port: number },
  folder: string,
): Promise<NginxProcess> {
  mkdirSync(prefix, { recursive: true });
  // Relative paths in a configuration are resolved against its directory.
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${preamble(prefix)}\n${text}\n}\n`);
  const child = spawn(command, ['-p', prefix, '-c', file, '-e', join(prefix, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problems = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (problems += chunk));
  const ended = once(child, 'close');
  const failed = ended.then(() => {
    throw new Error(`nginx ended: ${problems}`);
  });
  failed.catch(() => {});
  await Promise.race([listening(port), failed]);
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
