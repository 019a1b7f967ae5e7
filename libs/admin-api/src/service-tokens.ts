/** Tokens of the control thread services that the `admin` section uses. Other threads don't load the services. */
import { token, type Token } from '@sluice/registry';
import type { AdminEndpoint } from './endpoint/endpoint.ts';
import type { ConfigPuller } from './loading/puller.ts';

/** Provides the endpoint to the `admin` section. */
export const adminEndpoint: Token<AdminEndpoint> = token<AdminEndpoint>('admin_endpoint');

/** Remote admin endpoint. It uses TLS and exists only if it is configured. */
export const remoteEndpoint: Token<AdminEndpoint> = token<AdminEndpoint>('remote_admin_endpoint');

/** Provides the puller to the `admin` section. */
export const configPuller: Token<ConfigPuller> = token<ConfigPuller>('config_puller');
