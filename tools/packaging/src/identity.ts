/** Maintainer and repository of everything that is published, from one place: package.json of the workspace. */
import { join } from 'node:path';
import { readJson, workspaceRoot } from './workspace.ts';

interface WorkspaceManifest {
  readonly author: { readonly name: string; readonly email: string };
  readonly repository?: { readonly url: string };
  readonly homepage?: string;
}

/** Who publishes. */
export interface Identity {
  readonly name: string;
  readonly email: string;
  /** `https://HOST/OWNER/NAME`, or `null` if package.json has none and no workflow runs. */
  readonly repository: string | null;
}

/**
 * Returns who publishes. In a workflow the repository is that of the workflow: npm compares it with the provenance, so a fork
 * that publishes must not name another.
 */
export function identity(environment: NodeJS.ProcessEnv = process.env): Identity {
  const { author, repository } = readJson(join(workspaceRoot, 'package.json')) as WorkspaceManifest;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = environment;
  const declared = repository?.url.replace(/^git\+|\.git$/g, '') ?? null;
  return { ...author, repository: server !== undefined && name !== undefined ? `${server}/${name}` : declared };
}

/** Returns the fields of a published package.json: `author`, and `repository` if it is known. */
export function manifestIdentity(path: string): { readonly author: string; readonly repository?: object } {
  const { name, email, repository } = identity();
  return {
    author: `${name} <${email}>`,
    ...(repository === null ? {} : { repository: { type: 'git', url: `git+${repository}.git`, directory: path } }),
  };
}
