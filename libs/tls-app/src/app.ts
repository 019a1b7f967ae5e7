/** The app `tls`: accepts its options, and says that it does not manage certificates yet. */
import { apps, defineModule, type TlsApp } from '@sluice/registry';
import { tlsOptions } from './options.ts';

/** The app as a module. */
export const tlsAppModule = defineModule(apps, {
  name: 'tls',
  help: 'Certificates: loading, managing, session tickets. Its options are accepted; certificates are not managed yet.',
  config: tlsOptions,
  provision(config, context): TlsApp {
    const wanted = (config.automation ?? config.certificates ?? null) !== null;
    if (wanted && context.roles.control) context.log.warn('certificates are not managed yet');
    return {
      httpChallenges: { open: false, answer: () => null },
      termination: () => Promise.reject(new Error('connections can not be secured yet')),
      want: () => undefined,
    };
  },
});
