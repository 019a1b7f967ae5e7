/**
 * Creates the root file system of the container image: the executable, its shared libraries, a non-root user, and data directories. It
 * contains no shell and no package manager. docker/Dockerfile and other image builders use it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binaryFile } from '../binary/make-binary.ts';
import { copyright } from '../linux/layout.ts';
import { engineOf } from '../waf-engine.ts';
import { writeWelcomePage } from '../welcome-page.ts';
import { workspaceRoot } from '../workspace.ts';

/** ID of the user in the container image, the same as in other minimal images. */
export const userId = 65_532;

/** Creates the file system in a directory. The executable must be built for this machine. */
export function makeImageRoot(root: string, program: string = binaryFile): void {
  for (const folder of [
    'usr/bin',
    'usr/lib/sluice',
    'etc/sluice',
    'srv',
    'tmp',
    'data',
    'config',
    'usr/share/sluice',
    'usr/share/doc/sluice',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const folder of ['data', 'config']) {
    // Only root can change file owners. Otherwise, the user who builds the image owns the directories.
    if (process.getuid?.() === 0) chownSync(join(root, folder), userId, userId);
    chmodSync(join(root, folder), 0o700);
  }
  copyFileSync(program, join(root, 'usr/bin/sluice'));
  chmodSync(join(root, 'usr/bin/sluice'), 0o755);
  const engine = engineOf(program);
  if (engine !== null) copyFileSync(engine, join(root, 'usr/lib/sluice/waf-engine'));
  for (const library of librariesOf(program)) {
    const copy = join(root, library);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(library, copy);
  }
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0:root:/:\nsluice:x:${userId}:${userId}:sluice:/data:\n`);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nsluice:x:${userId}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  copyFileSync(join(workspaceRoot, 'tools/packaging/debian/Caddyfile'), join(root, 'etc/sluice/Caddyfile'));
  writeFileSync(join(root, 'usr/share/doc/sluice/copyright'), copyright(program));
  writeWelcomePage(join(root, 'usr/share/sluice/welcome'));
}

/** Returns the files of an executable's shared libraries and of the dynamic loader. */
function librariesOf(program: string): string[] {
  const { status, stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  if (status !== 0) throw new Error('ldd cannot list the libraries of the program: build the image on Linux');
  const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];
  const linked = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path as string);
  const folder = dirname(linked.find((path) => path.includes('/libc.so')) ?? '');
  return [...linked, ...resolvers.map((name) => join(folder, name))];
}
