/** The module `http.handlers.templates`, which executes response bodies as templates. */
import { httpHandlers, type HttpHandler } from '@sluice/http-app';
import { defineModule, moduleMap, options, string, strings } from '@sluice/registry';
import type { Functions } from '@sluice/text-template';
import { templateFunctions } from '@sluice/contracts';

const defaultTypes = ['text/html', 'text/plain', 'text/markdown'];

export const templatesModule = defineModule(httpHandlers, {
  name: 'templates',
  effect: 'reads',
  help: "Executes response bodies as templates in Go's text/template language. Supports the sprig functions, and additional functions for files, requests and Markdown.",
  config: options({
    file_root: string(
      'Root directory for functions that read files. Default: {http.vars.root} if it is set, otherwise the working directory.',
    ),
    mime_types: strings('Content types of responses to execute as templates. Prefixes are allowed.', {
      default: defaultTypes,
    }),
    delimiters: strings('Left and right delimiters of actions. Default: {{ and }}.', { examples: [['[[', ']]']] }),
    match: moduleMap('Modules that provide additional template functions.', templateFunctions),
  }),
  async provision(config, context): Promise<HttpHandler> {
    const delimiters = config.delimiters ?? [];
    if (delimiters.length !== 0 && delimiters.length !== 2)
      throw context.error(`expected 2 delimiters (opening and closing), not ${delimiters.length}`, 'delimiters');
    const extensions: Record<string, Functions[string]> = {};
    const modules = await context.loadMap(templateFunctions, config.match ?? {}, 'match');
    for (const { functions } of modules.values()) Object.assign(extensions, functions);
    const [left = '', right = ''] = delimiters;
    const root = config.file_root ?? '';
    // Load the template and Markdown packages on demand. Loading them takes time, and few servers need them.
    const { Templates } = await import('./templates.ts');
    return new Templates({
      root: root === '' ? '{http.vars.root}' : root,
      types: config.mime_types ?? defaultTypes,
      delimiters: { left, right },
      extensions: modules.size === 0 ? null : extensions,
    });
  },
});
