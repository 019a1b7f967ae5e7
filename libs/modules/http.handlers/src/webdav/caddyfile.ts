/** Caddyfile syntax: `webdav [matcher] { root PATH; prefix PATH; … }` */
import { duration, handler, integer, list, none, text } from '@sluice/caddyfile';

export const webdav = handler('webdav', {
  line: none,
  block: {
    root: text('<path>', { takes: 'more', once: 'root path already specified' }),
    prefix: text('<path>', { takes: 'more', once: 'prefix already specified' }),
    hide: list('<path>…', { adds: true }),
    properties: text('<path>'),
    max_entries: integer('<number>'),
    max_locks: integer('<number>'),
    max_lock_timeout: duration(),
  },
  unknown: 'unrecognized subdirective: %',
  example: 'route {\n\twebdav /dav/* {\n\t\troot /srv/files\n\t\tprefix /dav\n\t}\n}',
});
