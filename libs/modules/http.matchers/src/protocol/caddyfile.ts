/** `protocol NAME` */
import { matcher, only } from '../common/matcher.ts';

export const protocol = matcher('protocol', {
  bare: true,
  lax: true,
  line: only('<name>', 'protocol'),
  help: 'Matches requests by protocol: `http`, `https`, `grpc`, or a version such as `http/2` or `http/1.1+`.',
  example: '@plain protocol http\nredir @plain https://{host}{uri}',
});
