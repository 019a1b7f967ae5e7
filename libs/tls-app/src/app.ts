/** The app `tls`: accepts its options, and says that it does not manage certificates yet. */
import { appToken, apps, defineModule, type AppToken } from '@sluice/registry';
import { tlsOptions } from './options.ts';

/** What other apps see of the app. */
export type TlsApp = object;

/** The token of the app. */
export const tlsApp: AppToken<TlsApp> = appToken<TlsApp>('tls');

/** The app as a module. */
export const tlsAppModule = defineModule<TlsApp, typeof tlsOptions>(apps, {
  name: 'tls',
  help: 'Certificates: loading, managing, session tickets. Its options are accepted; certificates are not managed yet.',
  config: tlsOptions,
  provision(config, context) {
    const wanted = (config.automation ?? config.certificates ?? null) !== null;
    if (wanted && context.roles.control) context.log.warn('certificates are not managed yet');
    return {};
  },
});
