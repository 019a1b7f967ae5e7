/** Provisions the `session_tickets` option. Used only in the control thread. */
import { parseDuration, type JsonObject } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import type { tlsOptions } from '../options.ts';
import { ticketKeySources } from '../contracts/ticket-key-source.ts';
import type { TicketConfiguration } from './ticket-service.ts';

/** Shared configuration object, so that the default source and its keys survive configuration changes. */
const standard: JsonObject = Object.freeze({ provider: 'standard' });
const defaultInterval = 12 * 3_600_000;
const defaultKeyCount = 4;

/** Returns the ticket key source. Returns `null` if tickets are disabled or no installed package provides the standard source. */
export async function ticketConfiguration(
  config: Options<typeof tlsOptions>,
  context: Context,
): Promise<TicketConfiguration | null> {
  const tickets = config.session_tickets ?? {};
  if (tickets.disabled === true) return null;
  const at = ['session_tickets', 'key_source'];
  const own = tickets.key_source ?? null;
  const settings = {
    rotationInterval:
      tickets.disable_rotation === true ? 0 : parseDuration(tickets.rotation_interval ?? 0) || defaultInterval,
    maxKeys: tickets.max_keys || defaultKeyCount,
  };
  if (own !== null) return { source: await context.loadInline(ticketKeySources, own, 'provider', ...at), settings };
  try {
    return { source: await context.loadInline(ticketKeySources, standard, 'provider', ...at), settings };
  } catch (error) {
    context.log.debug('session ticket keys are not shared between threads', { error });
    return null;
  }
}
