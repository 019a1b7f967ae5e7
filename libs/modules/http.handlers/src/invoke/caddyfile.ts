/** `invoke [matcher] NAME` */
import { handler, invokedRoutes, text } from '@sluice/caddyfile';

export const invoke = handler('invoke', {
  line: text('<name>', { field: 'name', takes: 'last', keep: true }),
  /** Adds the invoked named route to the site. */
  finish(fields, { scope }) {
    (scope.state.get(invokedRoutes) as Set<string>).add(String(fields['name']));
    return fields;
  },
  help: 'Runs a named route, which is defined outside of site blocks as `&(name) { … }`.',
  within: [],
  example: '&(backend) {\n\treverse_proxy localhost:9000\n}\n:8080 {\n\tinvoke backend\n}',
});
