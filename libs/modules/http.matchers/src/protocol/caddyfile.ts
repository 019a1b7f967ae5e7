/** `protocol NAME` */
import { isArray } from '@sluice/base';
import { type Dispenser, syntax, words } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

function readProtocol(reader: Dispenser): string {
  let protocol = '';
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.length !== 1) throw reader.error('expected exactly one protocol');
    [protocol = ''] = words;
  });
  return protocol;
}

export const protocol = syntax(
  {
    shown: ['<name>'],
    help: 'Matches by protocol: `http`, `https`, `grpc`, or a version such as `http/2` or `http/1.1+`.',
    example: '@plain protocol http\nredir @plain https://{host}{uri}',
  },
  {
    read: readProtocol,
    write: (options) =>
      typeof options === 'string' ? [{ words: [options] }] : isArray(options) ? [{ words: words(options) }] : null,
  },
);
