import type { APIService } from '@tributary/api/apiregistration-v1';
import { type AnnotationProblem, decodeAnnotations } from './decode-annotations.ts';
import type { Registration, RemoteServer } from './registration.ts';

/** The default of `spec.service.port`. */
export const DEFAULT_SERVICE_PORT = 443;

export interface DecodedRegistration {
  readonly registration: Registration;
  /** Invalid annotations of objects stored before validation; defaults replace them. */
  readonly problems: readonly AnnotationProblem[];
}

/** Decodes a stored APIService. */
export function decodeRegistration({ metadata, spec }: APIService): DecodedRegistration {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  const common = {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    group,
    version,
    groupPriorityMinimum,
    versionPriority,
  };
  if (spec.service === undefined) {
    return { registration: { ...common, remote: undefined }, problems: [] };
  }
  const { url, limits, forwardsToken, problems } = decodeAnnotations(metadata.annotations);
  const { namespace = '', name = '', port = DEFAULT_SERVICE_PORT } = spec.service;
  const remote: RemoteServer = {
    service: { namespace, name, port },
    url,
    caBundle: spec.caBundle ? Buffer.from(spec.caBundle, 'base64').toString('utf8') : undefined,
    insecureSkipTlsVerify: spec.insecureSkipTLSVerify ?? false,
    limits,
    forwardsToken,
  };
  return { registration: { ...common, remote }, problems };
}
