/** The module `caddy.logging.encoders.filter.query`, which changes the query parameters of a URI. */
import { defineModule, list, options, string } from '@sluice/registry';
import { encodeQuery, parseQuery } from '@sluice/base';
import { logFieldFilters } from '@sluice/contracts';
import { compileAction } from '../common/actions.ts';
import { textFilter } from '../common/strings.ts';

export const queryModule = defineModule(logFieldFilters, {
  name: 'query',
  help: 'Deletes, replaces or hashes query parameters of a URI.',
  config: options({
    actions: list(
      'Actions on query parameters, in order.',
      options({
        type: string('Type of the action: delete, replace or hash.'),
        parameter: string('Name of the parameter.'),
        value: string('New value of the parameter, for the `replace` action.'),
      }),
    ),
  }),
  provision(config, context) {
    const actions = (config.actions ?? []).map(({ type, parameter, value }, i) => ({
      parameter: parameter ?? '',
      action: compileAction(type, value, context, i),
    }));
    return textFilter((uri) => {
      const mark = uri.indexOf('?');
      if (mark < 0 || mark === uri.length - 1) return uri;
      const query = parseQuery(uri.slice(mark + 1));
      for (const { parameter, action } of actions) {
        const values = query.get(parameter);
        if (values === undefined) continue;
        const changed = values.map(action).filter((value) => value !== null);
        if (changed.length === 0) query.delete(parameter);
        else query.set(parameter, changed);
      }
      const text = encodeQuery(query);
      return text === '' ? uri.slice(0, mark) : `${uri.slice(0, mark)}?${text}`;
    });
  },
});
