/** The Node that is shipped: the npm packages that contain one, at the version that package.json of the workspace has. */
import { join } from 'node:path';
import { readJson, workspaceRoot } from './workspace.ts';

const { optionalDependencies } = readJson(join(workspaceRoot, 'package.json')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Versions by package. As optional dependencies, npm installs the one that fits the machine and leaves out the others. */
export const nodeDependencies: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(optionalDependencies).filter(([name]) => /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name)),
);
