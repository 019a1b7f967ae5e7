/** Caddyfile syntax of the layer 4 selection policies. */
import { fields, named, syntax } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443', 'route', 'proxy 10.0.0.1:443 10.0.0.2:443', 'lb_policy %'];

export const syntaxes = {
  first: named({ within, example: 'first' }),
  ip_hash: named({ within, example: 'ip_hash' }),
  least_conn: named({ within, example: 'least_conn' }),
  random: named({ within, example: 'random' }),
  random_choose: syntax({
    line: fields('[<count>]', ['choose'], { integers: ['choose'] }),
    within,
    example: 'random_choose 3',
  }),
  round_robin: named({ within, example: 'round_robin' }),
  weighted_round_robin: named({ within, example: 'weighted_round_robin' }),
};
