/** Servers to measure: the Sluice bundle, the same bundle with Node.js options, a bundle of another commit, and Caddy. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../machine.ts';

/** A server to measure, with the command that starts it. */
export interface Participant {
  readonly name: string;
  readonly command: readonly string[];
  /** True if the server supports the `--workers` option. */
  readonly threads: boolean;
}

/** Command line options that select the servers to measure. */
export interface Asked {
  /** Directories of additional bundles. */
  readonly beside: readonly string[];
  /** Lists of Node.js options. The bundle is measured with each list, and also without options. */
  readonly flags: readonly string[];
  /** True to skip Caddy. */
  readonly own: boolean;
}

const bundle = fileURLToPath(new URL('../../../packaging/out/cli', import.meta.url));

/**
 * Returns the servers to measure, with a copy of Node.js. The copy is necessary so that servers share no memory with the measuring process.
 * `remove` deletes the copy.
 */
export function participants({ beside, flags, own }: Asked): { all: Participant[]; remove: () => void } {
  if (!existsSync(bundle)) throw new Error('the bundle does not exist: run "npm run package" first');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-footprint-'));
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node);
  const ours = (name: string, root: string, options: readonly string[] = []): Participant => ({
    name,
    command: [node, ...options, join(root, 'bin/sluice.js')],
    threads: true,
  });
  const all = [ours('sluice', bundle)];
  for (const root of beside) all.push(ours(root, resolve(root)));
  for (const options of flags) all.push(ours(`sluice ${options}`, bundle, options.split(' ')));
  const caddy = own ? null : findCommand('caddy');
  if (caddy !== null) all.push({ name: 'caddy', command: [caddy], threads: false });
  return { all, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the options that set the number of workers. Empty if the server has no such option. */
export function withWorkers({ threads }: Participant, workers: number): string[] {
  return threads ? ['--workers', String(workers)] : [];
}
