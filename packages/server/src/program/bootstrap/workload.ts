import type { KubeObject } from '@tributary/apimachinery';
import {
  CONTAINER_PORT,
  type Installation,
  SERVICE_PORT,
  secretName,
} from './bootstrap-options.ts';
import { manifest, podLabels } from './manifest.ts';

/** Directories in the container. */
const SERVING_DIRECTORY = '/etc/tributary/serving';
const DATA_DIRECTORY = '/var/lib/tributary';

interface Workload {
  readonly installation: Installation;
  /** Further arguments of the program, beside address and data directory. */
  readonly args: readonly string[];
  /** On the namespace and on the Deployment. */
  readonly annotations?: Record<string, string>;
}

/** Objects that run a server: namespace, service account, certificate, Service and Deployment. */
export function workloadManifests(workload: Workload): KubeObject[] {
  const { installation, annotations } = workload;
  const { namespace, service } = installation;
  return [
    manifest(installation, {
      apiVersion: 'v1',
      kind: 'Namespace',
      name: namespace,
      ...(annotations && { annotations }),
      // The strictest pod security standard, with which the Deployment below complies.
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    }),
    manifest(installation, { apiVersion: 'v1', kind: 'ServiceAccount', name: service, namespace }),
    ...servingSecret(installation),
    serviceManifest(installation),
    deploymentManifest(workload),
  ];
}

function servingSecret(installation: Installation): KubeObject[] {
  const { namespace, serving } = installation;
  if (serving === undefined) return [];
  const { cert, key, ca } = serving;
  const data = {
    ...(ca !== undefined && { 'ca.crt': base64(ca) }),
    'tls.crt': base64(cert),
    'tls.key': base64(key),
  };
  const input = { apiVersion: 'v1', kind: 'Secret', name: secretName(installation), namespace };
  return [manifest(installation, input, { type: 'kubernetes.io/tls', data })];
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function serviceManifest(installation: Installation): KubeObject {
  const { namespace, service } = installation;
  return manifest(
    installation,
    { apiVersion: 'v1', kind: 'Service', name: service, namespace },
    {
      spec: {
        selector: podLabels(installation),
        ports: [{ name: 'https', port: SERVICE_PORT, protocol: 'TCP', targetPort: 'https' }],
      },
    },
  );
}

function deploymentManifest({ installation, args, annotations }: Workload): KubeObject {
  const { namespace, service } = installation;
  return manifest(
    installation,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: service,
      namespace,
      ...(annotations && { annotations }),
    },
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: podLabels(installation) },
        // The store has one writer: the old pod ends before the new one starts.
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels: podLabels(installation) },
          spec: {
            serviceAccountName: service,
            securityContext: POD_SECURITY,
            containers: [container(installation, args)],
            volumes: volumes(installation),
          },
        },
      },
    },
  );
}

/** User of the image; the files of the Secret and of the store belong to its group. */
const ACCOUNT_ID = 65_532;

const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: ACCOUNT_ID,
  runAsGroup: ACCOUNT_ID,
  fsGroup: ACCOUNT_ID,
  seccompProfile: { type: 'RuntimeDefault' },
};

const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

function container({ image, service }: Installation, args: readonly string[]) {
  return {
    name: service,
    image,
    args: [
      ...args,
      '--bind-address=0.0.0.0',
      `--data-dir=${DATA_DIRECTORY}`,
      `--secure-port=${CONTAINER_PORT}`,
      `--tls-cert-file=${SERVING_DIRECTORY}/tls.crt`,
      `--tls-private-key-file=${SERVING_DIRECTORY}/tls.key`,
    ],
    ports: [{ name: 'https', containerPort: CONTAINER_PORT, protocol: 'TCP' }],
    livenessProbe: { httpGet: probe('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { httpGet: probe('/readyz'), periodSeconds: 5, failureThreshold: 2 },
    resources: { limits: { memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      { name: 'data', mountPath: DATA_DIRECTORY },
      { name: 'serving', mountPath: SERVING_DIRECTORY, readOnly: true },
    ],
  };
}

function probe(path: string) {
  return { path, port: 'https', scheme: 'HTTPS' };
}

function volumes(installation: Installation) {
  const { storageClaim } = installation;
  const data =
    storageClaim === undefined
      ? { emptyDir: {} }
      : { persistentVolumeClaim: { claimName: storageClaim } };
  return [
    { name: 'data', ...data },
    { name: 'serving', secret: { secretName: secretName(installation) } },
  ];
}
