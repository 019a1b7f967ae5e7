/** `invoke [matcher] NAME` */
import { handlerDirective, invokedRoutes, moduleObject } from '@sluice/caddyfile';

/** Makes the handler `invoke`, and notes that the site needs the named route. */
export const invoke = handlerDirective((reader) => {
  const name = reader.lastArgument();
  (reader.scope.state.get(invokedRoutes) as Set<string>).add(name);
  return moduleObject('handler', 'invoke', { name });
});
