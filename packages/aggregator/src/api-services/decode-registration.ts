import type { APIService } from '@tributary/api/apiregistration-v1';
import { type AnnotationProblem, decodeAnnotations } from './decode-annotations.ts';
import type { Registration, RemoteServer } from './registration.ts';

/** What is taken when a service names no port. */
export const DEFAULT_SERVICE_PORT = 443;

export interface DecodedRegistration {
  readonly registration: Registration;
  /** Of annotations that were stored before anybody looked at them; the defaults are taken instead. */
  readonly problems: readonly AnnotationProblem[];
}

/** An APIService as it is stored, for those who work with it. */
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
