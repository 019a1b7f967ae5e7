/** Files that the test configurations serve. */
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** bcrypt hash of `secret`, as created by `htpasswd -B`. */
const hash = '$2b$04$xXJ2fTNglw6DQmf4QcZpDezNZQVEEaSQO4zYCVHxTlhqdTGs2lfB.';

const files: Readonly<Record<string, string>> = {
  'www/index.html': '<h1>home</h1>\n',
  'www/about.html': '<h1>about</h1>\n',
  'www/404.html': '<h1>not here</h1>\n',
  'www/50x.html': '<h1>broken</h1>\n',
  'www/403.html': '<h1>no</h1>\n',
  'www/maintenance.html': '<h1>later</h1>\n',
  'www/robots.txt': 'User-agent: *\n',
  'www/big.txt': 'a long line of text\n'.repeat(200),
  'www/big.css': 'a { color: red }\n'.repeat(200),
  'www/data.json': '{"a":1}\n',
  'www/a b.txt': 'blank\n',
  'www/percent%41.txt': 'percent\n',
  'www/.env': 'SECRET=1\n',
  'www/.well-known/x.txt': 'known\n',
  'www/css/app.css': 'body {}\n',
  'www/img/logo.png': 'png\n',
  'www/img/logo.unknown': 'unknown\n',
  'www/blog/index.html': '<h1>blog</h1>\n',
  'www/blog/post.html': '<h1>post</h1>\n',
  'www/empty/file.txt': 'in a folder without index\n',
  'www/admin/index.html': '<h1>admin</h1>\n',
  'www/admin/users.html': '<h1>users</h1>\n',
  'www/private/doc.txt': 'private\n',
  'www/index.php':
    '<?php echo "index ", $_SERVER["REQUEST_URI"], " ", $_SERVER["QUERY_STRING"], " ", $_SERVER["SCRIPT_NAME"];\n',
  'www/info.php':
    '<?php echo $_SERVER["SCRIPT_FILENAME"] === __FILE__ ? "same" : "other", " ", ($_SERVER["PATH_INFO"] ?? "") ?: "-", " ", getenv("APP") ?: "-", " ", $_SERVER["REQUEST_METHOD"];\n',
  'www/missing/none.txt': 'x\n',
  'other/index.html': '<h1>other</h1>\n',
  'other/doc.txt': 'other doc\n',
  'other/sub/deep.txt': 'deep\n',
  'third/index.html': '<h1>third</h1>\n',
  'secret/key.txt': 'key\n',
  'conf/users': `ann:${hash}\n`,
  'conf/extra/one.inc': 'location = /included { return 200 "one"; }\n',
  'conf/extra/two.inc': 'location = /second { return 200 "two"; }\n',
};

/** Writes the files to a directory. All files have the same modification time, so that both servers report the same age. */
export function writeSite(folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
  symlinkSync('/etc/nginx/mime.types', join(folder, 'conf/mime.types'));
}
