/** npm packages that contain the shipped Node, with the version given in the workspace's package.json. */
import { join } from 'node:path';
import { readJson, workspaceRoot } from './workspace.ts';

const { optionalDependencies } = readJson(join(workspaceRoot, 'package.json')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Versions by package. npm installs only the optional dependency that matches the platform. */
export const nodeDependencies: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(optionalDependencies).filter(([name]) => /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name)),
);
