/** The file tree that a generator works on: either the nx tree, which prints and writes all changes at the end, or a directory. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The part of nx's `Tree` that generators use. Paths are relative to the root.
 * @typedef {object} Tree
 * @property {string} root
 * @property {(path: string) => boolean} exists
 * @property {(path: string, encoding: 'utf8') => string | null} read
 * @property {(path: string, content: string) => void} write
 * @property {(path: string) => string[]} children Names in a directory.
 */

/** Returns a tree that writes changes to a directory immediately. @param {string} root @returns {Tree} */
export function folderTree(root) {
  return {
    root,
    exists: (path) => existsSync(join(root, path)),
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    children: (path) => (existsSync(join(root, path)) ? readdirSync(join(root, path)) : []),
  };
}

/** Reads a file. Throws if it does not exist. @param {Tree} tree @param {string} path */
export function readText(tree, path) {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`${path} does not exist`);
  return text;
}

/** Reads a JSON file. Throws if it does not exist. @param {Tree} tree @param {string} path */
export function readJson(tree, path) {
  return JSON.parse(readText(tree, path));
}

/** Writes a value as JSON. @param {Tree} tree @param {string} path @param {unknown} value */
export function writeJson(tree, path, value) {
  tree.write(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Writes a file. Throws if the file already exists.
 * @param {Tree} tree @param {string} path @param {string} content
 */
export function writeNew(tree, path, content) {
  if (tree.exists(path)) throw new Error(`${path} already exists`);
  tree.write(path, content);
}

/** Returns the version shared by all packages of a workspace. @param {Tree} tree */
export function versionOf(tree) {
  return tree.exists('libs/registry/package.json') ? readJson(tree, 'libs/registry/package.json').version : '0.1.0';
}
