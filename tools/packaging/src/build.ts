/** The build version from git tags and commits, which `sluice version` prints. */
import { spawnSync } from 'node:child_process';
import { workspaceRoot } from './workspace.ts';

/** Content of a package's `build.json`. */
export interface Build {
  /**
   * `0.2.0` for the commit with the tag `v0.2.0`, else `0.2.0+14.g4f3c2a1` with the number of commits since the tag. Ends with `.dirty` if
   * files are modified.
   */
  readonly version: string;
  /** Commit hash. Empty outside a repository. */
  readonly commit: string;
  /** Commit date in ISO 8601. Empty outside a repository. */
  readonly date: string;
}

/** Describes the commit that is checked out. `version` is that of package.json, for repositories without tags. */
export function buildOf(version: string, folder: string = workspaceRoot): Build {
  const git = (...args: readonly string[]): string => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : '';
  };
  const commit = git('rev-parse', 'HEAD');
  if (commit === '') return { version, commit: '', date: '' };
  const date = git('show', '-s', '--format=%cI', 'HEAD');
  const described = git('describe', '--tags', '--match', 'v[0-9]*', '--long', '--dirty', '--abbrev=8');
  const [, tag = version, count = '', dirty = ''] = /^v(.*)-(\d+)-g[0-9a-f]+(-dirty)?$/.exec(described) ?? [];
  if (count === '0' && dirty === '') return { version: tag, commit, date };
  const isDirty = dirty !== '' || (described === '' && git('status', '--porcelain', '--untracked-files=no') !== '');
  const parts = [...(count === '' ? [] : [count]), `g${commit.slice(0, 8)}`, ...(isDirty ? ['dirty'] : [])];
  return { version: `${tag}+${parts.join('.')}`, commit, date };
}
