/** Providers of configuration. */
export {
  providers as configProviders,
  type Fragment as ProvidedFragment,
  type FragmentChanges,
  type FragmentResults,
  type Provider as ConfigProvider,
  type ProviderHost,
} from '@sluice/providers-app/contract';
