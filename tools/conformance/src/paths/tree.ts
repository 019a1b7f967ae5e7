/** Files for the path test matrix. The content of each file is its name, so a response identifies the file. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const files: readonly string[] = [
  'root/page.txt',
  'root/document',
  'root/index.html',
  'root/index.php',
  'root/admin/page.txt',
  'root/admin/other.php',
  'root/mount/document',
  'root/mount/index.html',
  'root/mount../document',
  'root/admin.php',
  'root/other.php',
  'root/other.PHP',
  'root/x.php',
  'root/folder.php/page.txt',
  'root/folder.php/index.php',
  'root/scripts.php.d/run.php',
  'root/\u0130.php/page.txt',
  'root/\u0130.php.txt/x.php',
  'root/admin;x/page.txt',
  'root/admin /page.txt',
  'root/admin+/page.txt',
  'root/admin%/page.txt',
  'root/admin?/page.txt',
  'root/admin#page.txt',
  'root/admin\u00e4/page.txt',
  'root/admin\\page.txt',
  'root/admin%2fpage.txt',
  'root/admin{x}/page.txt',
  'page.txt',
  'document',
];

/** Creates a temporary directory. The server serves its subdirectory `root`. */
export function makeTree(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-paths-')));
  for (const name of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name);
  }
  return folder;
}

export function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
