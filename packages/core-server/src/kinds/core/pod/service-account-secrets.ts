/** The Secrets that a service account permits its pods; upstream's plugin/pkg/admission/serviceaccount. */
import type {
  Container,
  LocalObjectReference,
  Pod,
  PodSpec,
  ServiceAccount,
  Volume,
} from '@tributary/api/core-v1';

const MIRROR = 'kubernetes.io/config.mirror';
const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';
/** The true values of Go's strconv.ParseBool. */
const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];

/** Mirror pods are static pods of a kubelet. */
export function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

/** A mirror pod cannot use API objects; returns the reason. */
export function mirrorPodError({ spec }: Pod): string | undefined {
  if (spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (hasSecrets(spec)) return 'a mirror pod may not reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    return 'a mirror pod may not use ServiceAccountToken volume projections';
  }
  return undefined;
}

/** The reason why a pod may not use its Secrets, where the account enforces its list. */
export function secretsError(spec: PodSpec, account: ServiceAccount): string | undefined {
  if (!isEnforced(account)) return undefined;
  const known = new Set((account.secrets ?? []).map(({ name }) => name ?? ''));
  const unknown = (secret: string) => `${secretError(secret, account)} secret`;
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? '';
    if (secret !== undefined && !known.has(name)) return `volume with ${unknown(name)}`;
  }
  const reason =
    containersError('init container', spec.initContainers, account) ??
    containersError('container', spec.containers, account);
  if (reason !== undefined) return reason;
  const pulls = new Set((account.imagePullSecrets ?? []).map(({ name }) => name ?? ''));
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (pulls.has(name)) continue;
    return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
  }
  return undefined;
}

/** The same for ephemeral containers. */
export function ephemeralSecretsError(
  { ephemeralContainers }: PodSpec,
  account: ServiceAccount,
): string | undefined {
  if (!isEnforced(account)) return undefined;
  return containersError('ephemeral container', ephemeralContainers, account);
}

function isEnforced({ metadata }: ServiceAccount): boolean {
  return TRUE.includes(metadata.annotations?.[ENFORCED] ?? '');
}

function containersError(
  what: string,
  containers: readonly Pick<Container, 'name' | 'env' | 'envFrom'>[] | null | undefined,
  account: ServiceAccount,
): string | undefined {
  const known = new Set((account.secrets ?? []).map(({ name }) => name ?? ''));
  for (const { name: container, env = [], envFrom = [] } of containers ?? []) {
    for (const { name: variable, valueFrom } of env) {
      const secret = nameIn(valueFrom?.secretKeyRef);
      if (secret === undefined || known.has(secret)) continue;
      return `${what} ${container} with envVar ${variable} referencing ${secretError(secret, account)} secret`;
    }
    for (const { secretRef } of envFrom) {
      const secret = nameIn(secretRef);
      if (secret === undefined || known.has(secret)) continue;
      return `${what} ${container} with envFrom referencing ${secretError(secret, account)} secret`;
    }
  }
  return undefined;
}

function secretError(secret: string, { metadata }: ServiceAccount): string {
  return `secret.secretName="${secret}" is not allowed because service account ${metadata.name} does not reference that`;
}

function nameIn(reference: LocalObjectReference | undefined): string | undefined {
  return reference && (reference.name ?? '');
}

function hasSecrets(spec: PodSpec): boolean {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  const all: readonly Pick<Container, 'env' | 'envFrom'>[] = [
    ...initContainers,
    ...(containers ?? []),
    ...ephemeralContainers,
  ];
  return [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...all.flatMap(({ env = [], envFrom = [] }) => [
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
  ].some(Boolean);
}

function secretsOfVolume(volume: Volume): (string | undefined)[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume;
  return [
    volume.azureFile?.secretName,
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map(
      (source) => source?.secretRef?.name,
    ),
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}
