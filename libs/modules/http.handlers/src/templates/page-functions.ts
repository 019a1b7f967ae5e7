/** Template functions that the server provides, in addition to those of Go and sprig. */
import { declare, declareRest, parameters, type Functions } from '@sluice/text-template';
import { splitFrontMatter } from './front-matter.ts';
import { humanize } from './humanize.ts';
import { pathEscape } from './path-escape.ts';
import { stripHtml } from './strip-html.ts';

const { any, integer, text } = parameters;

/** Placeholder for a template function that each {@link PageRun} implements. */
function perPage(): never {
  throw new Error('template functions of a page can be called only while the page is rendered');
}

/** Template functions by name. {@link PageRun} implements the functions that need a request. */
export const pageFunctions: Functions = {
  include: declareRest([text], any, perPage),
  import: declare([text], perPage),
  httpInclude: declare([text], perPage),
  readFile: declare([text], perPage),
  listFiles: declare([text], perPage),
  fileExists: declare([text], perPage),
  fileStat: declare([text], perPage),
  placeholder: declare([text], perPage),
  ph: declare([text], perPage),
  maybe: declareRest([text], any, perPage),
  httpError: declare([integer], perPage),
  env: declare([text], (name) => process.env[name] ?? ''),
  markdown: declare([any], perPage),
  splitFrontMatter: declare([text], splitFrontMatter),
  stripHTML: declare([text], stripHtml),
  humanize: declare([text, text], humanize),
  pathEscape: declare([text], pathEscape),
};
