/** Lint check HELLO001. Each package uses its own prefix for lint codes. */
import { defineLint, nativeJson, type LintExample } from '@sluice/module/lint';

const greets = (name: string): LintExample =>
  nativeJson({
    apps: { http: { servers: { web: { listen: [':8080'], routes: [{ handle: [{ handler: 'hello', name }] }] } } } },
  });

export const emptyGreeting = defineLint({
  code: 'HELLO001',
  name: 'empty-greeting',
  severity: 'warning',
  summary: 'A greeting contains no name.',
  details: 'The response is `Hello, !`. Omit `name` to greet the world.',
  bad: greets(''),
  good: greets('Ada'),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.handlers.hello')) {
      if (typeof node === 'object' && node !== null && 'name' in node && node['name'] === '')
        report([...path, 'name'], 'greets no one: set a name, or omit it');
    }
  },
});
