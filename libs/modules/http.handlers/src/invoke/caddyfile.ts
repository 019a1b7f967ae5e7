/** `invoke [matcher] NAME` */
import { handler, handlerDirective, invokedRoutes, moduleObject, words, type WriteDirective } from '@sluice/caddyfile';

/** Makes the handler `invoke`, and notes that the site needs the named route. */
const readInvoke = handlerDirective((reader) => {
  const name = reader.lastArgument();
  (reader.scope.state.get(invokedRoutes) as Set<string>).add(name);
  return moduleObject('handler', 'invoke', { name });
});

/** `invoke NAME` */
const writeInvoke: WriteDirective = ({ name }) => ({ words: words(name) });

export const invoke = handler(
  'invoke',
  {
    shown: ['<name>'],
    help: 'Runs a named route, defined outside of sites: `&(name) { … }`.',
    within: [],
    example: '&(backend) {\n\treverse_proxy localhost:9000\n}\n:8080 {\n\tinvoke backend\n}',
  },
  { directive: readInvoke, write: writeInvoke },
);
