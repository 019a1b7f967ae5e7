/** `vars VARIABLE VALUE…` */
import { words } from '@sluice/caddyfile';
import { keyed, matcher } from '../common/matcher.ts';

export const vars = matcher('vars', {
  line: keyed(
    '<name> <value>…',
    (reader, draft) => {
      if (!reader.nextArgument()) throw reader.error('malformed vars matcher: expected field name');
      const { value: variable } = reader;
      const values = reader.remaining();
      if (values.length === 0)
        throw reader.error('malformed vars matcher: expected at least one value to match against');
      draft.push([variable], values);
    },
    (name, values) => [[name, ...words(values)]],
  ),
  help: 'Matches requests for which a variable or placeholder has one of the given values.',
  example: 'vars tenant {header.X-Tenant}\n@acme vars {vars.tenant} acme\nrespond @acme hi',
});
