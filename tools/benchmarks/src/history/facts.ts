/** Collects the origin and the time of a benchmark run. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { findCommand } from '../machine.ts';

/** Origin of a benchmark run: commit, machine and versions. */
export interface Facts {
  readonly date: string;
  readonly commit: string;
  /** True if the working tree differed from the commit. */
  readonly modified: boolean;
  readonly machine: {
    readonly processor: string;
    readonly processors: number;
    readonly memoryGiB: number;
    readonly system: string;
    /** One-minute load average before the run. */
    readonly loadBefore: number;
  };
  /** Versions by program. */
  readonly versions: Readonly<Record<string, string>>;
}

export function facts(): Facts {
  return {
    date: new Date().toISOString(),
    commit: output('git', ['rev-parse', 'HEAD']),
    modified: output('git', ['status', '--porcelain', '--untracked-files=no']) !== '',
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      processors: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
      loadBefore: loadavg()[0] ?? 0,
    },
    versions: Object.fromEntries(versions().filter(([, version]) => version !== '')),
  };
}

function versions(): [string, string][] {
  return [
    ['node', process.versions.node],
    ['openssl', process.versions.openssl ?? ''],
    ['caddy', /caddyserver\/caddy\/v2\s+v(\S+)/.exec(said('caddy', ['build-info']))?.[1] ?? ''],
    ['nginx', /nginx\/(\S+)/.exec(said('nginx', ['-v']))?.[1] ?? ''],
    ['wrk', /wrk \S*?([\d.]+)/.exec(said('wrk', ['-v']))?.[1] ?? ''],
    ['h2load', /nghttp2\/(\S+)/.exec(said('h2load', ['--version']))?.[1] ?? ''],
  ];
}

/** Returns a program's output on either stream, regardless of its exit code. Returns an empty string if the program is not installed. */
function said(name: string, args: readonly string[]): string {
  const program = findCommand(name);
  return program === null ? '' : output('sh', ['-c', '"$@" 2>&1 || true', 'sh', program, ...args]);
}

function output(program: string, args: readonly string[]): string {
  return execFileSync(program, [...args], { encoding: 'utf8' }).trim();
}
