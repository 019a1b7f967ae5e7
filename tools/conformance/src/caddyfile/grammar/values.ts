/** Grammar rules for values: names, paths, strings, durations, and upstream addresses. */
import type { Rules } from './rules.ts';

export const valueGrammar: Rules = {
  port: ['80<n>', '90<n>', '80', '443'],
  n: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  three: ['1', '2', '3'],
  name: ['alpha', 'beta', 'gamma', 'delta'],
  path: ['/a', '/a/*', '/bb*', '/ccc/d', '*.html', '/*'],
  prefix: ['/a/*', '/bb*', '/ccc/d/*', '/x'],
  matcher: ['<path>', '*'],
  text: ['hello', '"two words"', '`back {path} ticked`', '{host}', '"{query.a} {header.X-Y}"', 'a<n>'],
  time: ['<n>s', '<n>m', '1h30m', '250ms', '2d'],
  size: ['10MB', '<n>KiB', '512', '1GB'],
  status: ['200', '404', '50<n>', '{err.status_code}'],
  code: ['permanent', 'temporary', '30<n>', 'html', '401', '{re.1}'],
  field: ['X-One', 'x-two', 'Cache-Control', 'Server'],
  upstream: [
    'localhost:90<n>',
    'http://back<n>:8080',
    'h2c://back<n>',
    'unix//run/app.sock',
    '10.0.0.<n>',
    '{env.UPSTREAM}:80',
    'back:8001-8003',
  ],
  upstreams: [
    'localhost:90<n>',
    'localhost:90<n> localhost:91<n>',
    'https://back<n>',
    'https://back<n>:8443',
    '<upstream>',
  ],
};
