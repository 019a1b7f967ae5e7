/** Computes the build version from git tags and commits. `sluice version` prints it. */
import { spawnSync } from 'node:child_process';
import { workspaceRoot } from './workspace.ts';

/** Content of the file `build.json` in a package. */
export interface Build {
  /**
   * `0.2.0` for a commit with the tag `v0.2.0`. For later commits, `0.2.0+14.g4f3c2a1` with the number of commits since the tag. Ends with
   * `.dirty` if files have been modified.
   */
  readonly version: string;
  /** Commit hash. Empty outside a Git repository. */
  readonly commit: string;
  /** Commit date in ISO 8601 format. Empty outside a Git repository. */
  readonly date: string;
}

/** Returns the build information of the checked-out commit. `version` is the version in package.json, used if the repository has no tags. */
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
