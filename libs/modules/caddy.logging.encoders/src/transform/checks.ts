/** Check for the `transform` encoder: rejects a placeholder that is only valid on its own. */
import { isObject, own } from '@sluice/base';
import { defineCheck } from '@sluice/registry';
import { commonLog } from './template.ts';

export const commonLogCheck = defineCheck({
  name: 'common-log-placeholder',
  help: 'In a template with other text, `{common_log}` is empty.',
  modules: ['caddy.logging.encoders.transform', 'caddy.logging.encoders.formatted'],
  check: ({ node }, warn) => {
    const template = isObject(node) ? own(node, 'template') : undefined;
    if (typeof template !== 'string' || template === '{common_log}' || !template.includes('{common_log}')) return;
    warn(
      `{common_log} is supported only as the whole template; write ${commonLog}, and set time_format to common_log`,
      'template',
    );
  },
});
