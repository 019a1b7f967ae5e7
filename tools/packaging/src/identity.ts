/** Maintainer and repository of all published packages, taken from the workspace's package.json. */
import { join } from 'node:path';
import { readJson, workspaceRoot } from './workspace.ts';

interface WorkspaceManifest {
  readonly author: { readonly name: string; readonly email: string };
  readonly repository?: { readonly url: string };
  readonly homepage?: string;
}

/** The publisher. */
export interface Identity {
  readonly name: string;
  readonly email: string;
  /** Repository URL (`https://HOST/OWNER/NAME`). `null` if package.json contains no URL and no workflow is running. */
  readonly repository: string | null;
}

/**
 * Returns the publisher. In a workflow, the repository is the workflow's own. npm compares the repository with the provenance, and a fork
 * must not publish under another repository.
 */
export function identity(environment: NodeJS.ProcessEnv = process.env): Identity {
  const { author, repository } = readJson(join(workspaceRoot, 'package.json')) as WorkspaceManifest;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = environment;
  const declared = repository?.url.replace(/^git\+|\.git$/g, '') ?? null;
  return { ...author, repository: server !== undefined && name !== undefined ? `${server}/${name}` : declared };
}

/** Returns identity fields for a published package.json: `author`, and `repository` if it is known. */
export function manifestIdentity(path: string): { readonly author: string; readonly repository?: object } {
  const { name, email, repository } = identity();
  return {
    author: `${name} <${email}>`,
    ...(repository === null ? {} : { repository: { type: 'git', url: `git+${repository}.git`, directory: path } }),
  };
}
