/** Template functions of the server, in addition to Go's and sprig's. */
import { declare, declareRest, parameters, type Functions } from '@sluice/text-template';
import { splitFrontMatter } from './front-matter.ts';
import { humanize } from './humanize.ts';
import { pathEscape } from './path-escape.ts';
import { stripHtml } from './strip-html.ts';

const { any, integer, text } = parameters;

/** Placeholder for a function that {@link PageRun} implements for each page. */
function perPage(): never {
  throw new Error('called outside of a page');
}

/** Page functions by name. Functions that need a request are implemented by each page run. */
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
