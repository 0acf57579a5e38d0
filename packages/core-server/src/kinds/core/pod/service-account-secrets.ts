/** Which Secrets a pod may use, by its service account; upstream's plugin/pkg/admission/serviceaccount. */
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
/** What Go reads as true. */
const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];

/** Of a pod that only its node has: nobody but the kubelet decides about it. */
export function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

/** Why a mirror may not be created: it would get at what only the API server hands out. */
export function mirrorRefusal({ spec }: Pod): string | undefined {
  if (spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (hasSecrets(spec)) return 'a mirror pod may not reference secrets';
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    return 'a mirror pod may not use ServiceAccountToken volume projections';
  }
  return undefined;
}

/** Why a pod may not have the Secrets that it names, where its account insists on its own. */
export function secretsRefusal(spec: PodSpec, account: ServiceAccount): string | undefined {
  if (!isEnforced(account)) return undefined;
  const known = new Set((account.secrets ?? []).map(({ name }) => name ?? ''));
  const unknown = (secret: string) => `${refused(secret, account)} secret`;
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? '';
    if (secret !== undefined && !known.has(name)) return `volume with ${unknown(name)}`;
  }
  const why =
    containersRefusal('init container', spec.initContainers, account) ??
    containersRefusal('container', spec.containers, account);
  if (why !== undefined) return why;
  const pulls = new Set((account.imagePullSecrets ?? []).map(({ name }) => name ?? ''));
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (pulls.has(name)) continue;
    return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
  }
  return undefined;
}

/** The same of containers that are added to a pod that runs. */
export function ephemeralSecretsRefusal(
  { ephemeralContainers }: PodSpec,
  account: ServiceAccount,
): string | undefined {
  if (!isEnforced(account)) return undefined;
  return containersRefusal('ephemeral container', ephemeralContainers, account);
}

function isEnforced({ metadata }: ServiceAccount): boolean {
  return TRUE.includes(metadata.annotations?.[ENFORCED] ?? '');
}

function containersRefusal(
  what: string,
  containers: readonly Pick<Container, 'name' | 'env' | 'envFrom'>[] | null | undefined,
  account: ServiceAccount,
): string | undefined {
  const known = new Set((account.secrets ?? []).map(({ name }) => name ?? ''));
  for (const { name: container, env = [], envFrom = [] } of containers ?? []) {
    for (const { name: variable, valueFrom } of env) {
      const secret = nameIn(valueFrom?.secretKeyRef);
      if (secret === undefined || known.has(secret)) continue;
      return `${what} ${container} with envVar ${variable} referencing ${refused(secret, account)} secret`;
    }
    for (const { secretRef } of envFrom) {
      const secret = nameIn(secretRef);
      if (secret === undefined || known.has(secret)) continue;
      return `${what} ${container} with envFrom referencing ${refused(secret, account)} secret`;
    }
  }
  return undefined;
}

function refused(secret: string, { metadata }: ServiceAccount): string {
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
