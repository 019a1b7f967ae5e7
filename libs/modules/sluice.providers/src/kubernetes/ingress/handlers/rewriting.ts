/** The `rewrite-target` annotation, and the FastCGI index file. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import { expandVariables } from '../annotations/variables.ts';
import type { Claim } from '../claims.ts';
import { rewriting } from '../paths.ts';
import type { IngressScope } from '../scope.ts';

export function rewriteHandlers(claim: Claim, { annotations, view }: IngressScope): readonly JsonObject[] {
  const handlers: JsonObject[] = [];
  const target = annotations.text('rewrite-target');
  if (target !== undefined) handlers.push(rewriting(claim, targetOf(target), view.usesExpressions(claim.host)));
  const index = annotations.text('fastcgi-index');
  if (index !== undefined)
    handlers.push({
      handler: 'rewrite',
      path_regexp: [{ find: '/$', replace: `/${literal(index).replaceAll('$', '$$$$')}` }],
    });
  return handlers;

  /** Converts a rewrite target. Keeps the syntax of capture groups, and replaces variables with placeholders. */
  function targetOf(text: string): string {
    const path = text.startsWith('/') || text.startsWith('$') ? text : `/${text}`;
    return path
      .split(/(\$\d|\$\{\d\})/)
      .map((part, i) =>
        i % 2 === 1
          ? `$${literal(`{${part.replaceAll(/\D/g, '')}}`)}`
          : expandVariables(part, warnUnknown).replaceAll('$', '$$$$'),
      )
      .join('');
  }

  function warnUnknown(name: string): void {
    annotations.warn('rewrite-target', `variable $${name} is not supported and expands to an empty string`);
  }
}
