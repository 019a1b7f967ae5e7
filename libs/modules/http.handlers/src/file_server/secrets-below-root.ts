import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { dataDirectory, isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';

/** Matches names of files in a root directory that are probably private. */
const secret =
  /^(?:\.git|\.svn|\.hg|\.env(?:\..+)?|\.htpasswd|\.ssh|id_(?:rsa|ed25519|ecdsa)|.+\.(?:key|pem|p12|pfx|kdbx))$/;

export const secretsBelowRoot = defineLint({
  code: 'SL032',
  name: 'secrets-below-root',
  severity: 'error',
  summary: "A served directory contains private files: keys, `.git`, `.env`, or the server's data directory.",
  details: `Anyone who knows or guesses the name of such a file can download it. Bots constantly request \`/.git/config\` and \`/.env\`. Serve a directory that contains nothing else, or hide the files (\`hide .git .env\`, or \`hide .*\`).`,
  bad: caddyfile(`:8080 {
	root /
	file_server
}
`),
  good: caddyfile(`:8080 {
	root /srv/www
	file_server
}
`),
  check(configuration, report) {
    const hidden = hiddenIn(configuration);
    const known = new Map<string, Held>();
    for (const { root, path } of rootsIn(configuration)) {
      let held = known.get(root);
      if (held === undefined) known.set(root, (held = heldBy(root)));
      if (held.keys)
        report(path, "contains the server's data directory with its private keys: serve a different directory");
      for (const name of held.secrets)
        if (!hidden.some((pattern) => hides(pattern, name)))
          report(path, `contains ${name}, which anyone can download: hide it, or serve a different directory`);
    }
  },
});

/** Private files that were found in a directory. */
interface Held {
  /** True if the directory contains the data directory of the server. */
  readonly keys: boolean;
  readonly secrets: readonly string[];
}

function heldBy(root: string): Held {
  const data = relative(resolve(root), dataDirectory());
  const keys = data === '' || (!/^\.\.(?:[/\\]|$)/.test(data) && data !== resolve(data));
  return { keys, secrets: namesIn(root).filter((name) => secret.test(name)) };
}

/** Returns the file-serving handlers in a configuration. */
function fileHandlersIn(configuration: LintedConfiguration): ReturnType<LintedConfiguration['modulesOf']> {
  return ['file_server', 'webdav'].flatMap((name) => [...configuration.modulesOf(`http.handlers.${name}`)]);
}

/** Returns the root directories that do not depend on the request. */
function rootsIn(configuration: LintedConfiguration): readonly { readonly root: string; readonly path: ConfigPath }[] {
  const servers = fileHandlersIn(configuration);
  if (servers.length === 0) return [];
  return [...servers, ...configuration.modulesOf('http.handlers.vars')].flatMap(({ node, path }) => {
    const root = isObject(node) && !own(node, 'fs') ? own(node, 'root') : undefined;
    return typeof root === 'string' && root !== '' && !root.includes('{') ? [{ root, path: [...path, 'root'] }] : [];
  });
}

/**
 * Returns the patterns that any file server hides. They are combined, because it is not always known which file server uses a root
 * directory.
 */
function hiddenIn(configuration: LintedConfiguration): readonly string[] {
  const hidden = fileHandlersIn(configuration).flatMap(({ node }) => {
    const hide: Json | undefined = isObject(node) ? own(node, 'hide') : undefined;
    return isArray(hide) ? hide.filter((each) => typeof each === 'string') : [];
  });
  return [...new Set(hidden)];
}

function hides(pattern: string, name: string): boolean {
  const last = pattern.split('/').at(-1) ?? '';
  const literal = last
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${literal}$`).test(name);
}

/** Returns the names of all entries in a directory. Returns an empty list if the directory is not readable. */
function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(join(root));
  } catch {
    return [];
  }
}
