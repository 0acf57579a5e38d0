export { apiInstallation, bootstrapManifests } from './bootstrap-manifests.ts';
export {
  BootstrapOptionError,
  type BootstrapOptions,
  type ServingSecret,
  type ServingTrust,
} from './bootstrap-options.ts';
export {
  type Component,
  componentInstallation,
  componentManifests,
  components,
  componentWarning,
} from './component-manifests.ts';
export { type ManifestList, manifestList } from './manifest-list.ts';
