/**
 * Servers to measure: the bundle of Sluice, the same bundle with Node options, a bundle of another commit, and Caddy.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../machine.ts';

/** A server and its command. */
export interface Participant {
  readonly name: string;
  readonly command: readonly string[];
  /** True if the server supports the `--workers` option. */
  readonly threads: boolean;
}

/** Command-line options that select the participants. */
export interface Asked {
  /** Directories of other bundles. */
  readonly beside: readonly string[];
  /** Node options. Each list of options is measured with the bundle, in addition to the bundle without options. */
  readonly flags: readonly string[];
  /** True if Caddy is not measured. */
  readonly own: boolean;
}

const bundle = fileURLToPath(new URL('../../../packaging/out/cli', import.meta.url));

/** Returns the participants. `remove` deletes the copy of Node, which exists so that no memory is shared with the Node that measures. */
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

/** Returns the options that start a server with this many workers, if it has any. */
export function withWorkers({ threads }: Participant, workers: number): string[] {
  return threads ? ['--workers', String(workers)] : [];
}
