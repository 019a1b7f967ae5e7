/** Caddyfile syntax for event handlers. */
import { fields, syntax } from '@sluice/caddyfile';

export const syntaxes = {
  exec: syntax({
    line: fields('<command> [<argument>…]', ['command', 'args…'], { least: 1 }),
    within: ['', 'events', 'on cert_obtained %'],
    example: 'exec systemctl reload mail',
  }),
};
