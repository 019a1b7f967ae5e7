/** `http.matchers.expression`: matches requests with a Common Expression Language (CEL) expression. */
import { httpMatchers, type HttpMatcher } from '@sluice/http-app';
import { anything, defineModule } from '@sluice/registry';

const help =
  'Common Expression Language (https://cel.dev) expression that evaluates to a Boolean. Placeholders such as `{http.request.method}` are available as values, and matchers as functions: `path("/a/*")`, `header({"X-A": ["1", "2*"]})`, `file()`.';

export const expressionModule = defineModule(httpMatchers, {
  name: 'expression',
  effect: 'reads',
  help: 'Matches requests for which a Common Expression Language (CEL) expression evaluates to true.',
  config: anything({
    description: help,
    anyOf: [
      { type: 'string', description: help },
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          expr: { type: ['string', 'null'], description: help },
          name: {
            type: ['string', 'null'],
            description:
              'Name for the capture groups of regular expressions in the CEL expression. The groups are available as `{http.regexp.<name>.<group>}`.',
          },
        },
      },
    ],
    examples: ["{http.request.method} == 'GET' && path('/api/*')"],
  }),
  async provision(config, context): Promise<HttpMatcher> {
    const { expr, name } =
      typeof config === 'string' ? { expr: config, name: '' } : (config as { expr?: string; name?: string });
    const { compileExpression } = await import('./compile.ts');
    try {
      return compileExpression(expr ?? '', name ?? '');
    } catch (error) {
      throw context.error((error as Error).message);
    }
  },
});
