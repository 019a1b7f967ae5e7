/** Describes the directives `bind` and `log`. */
import { note, option, siteLogOptions } from '@sluice/caddyfile';
import type { Description } from '@sluice/caddyfile/contribute';

const within = [':8080'];
const noHelp = { module: '', option: () => '' };

export const bind: Description = option({
  shown: ['<address>…'],
  block: { protocols: note('<name>…', 'Protocols to enable.') },
  help: 'Addresses or network interfaces to listen on. Default: all.',
  within,
  example: 'bind 127.0.0.1 [::1]\nrespond hi',
}).describe('bind', noHelp);

export const log: Description = option({
  shown: ['[<name>]'],
  block: siteLogOptions,
  help: 'Writes an access log for the site.',
  within,
  example: 'log {\n\toutput file /var/log/site.log\n\tformat console\n}\nrespond hi',
}).describe('log', noHelp);
