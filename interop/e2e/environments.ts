/** The control planes that the end-to-end suite runs against. */
import { networkInterfaces } from 'node:os';
import { type Gateway, startGateway } from '../../test/aggregator/gateway-program.ts';
import { eventually, httpsRequest, type TestScope } from '../../test/harness/index.ts';
import { pkiFile } from '../controllers/control-plane.ts';
import { startControllerManager } from '../peers/start-controller-manager.ts';
import { type ServerAccess, startReferenceStack } from '../stack.ts';

/** `alone`: nothing beside the control plane. `controllers`: the original's controller manager. `nodes`: Node objects as well. */
export const environments = ['alone', 'controllers', 'nodes'] as const;
export type Environment = (typeof environments)[number];

/** Gives the path of an administrator's kubeconfig. */
export async function startOurs(scope: TestScope, environment: Environment): Promise<string> {
  if (environment === 'alone') return (await startGateway(scope)).kubeconfig;
  const gateway = await startGateway(scope, [`--controllers=${OURS.map((name) => `-${name}`)}`]);
  await startControllerManager(scope, {
    kubeconfig: gateway.kubeconfig,
    controllers: [],
    serviceAccountKeyFile: pkiFile(gateway, 'sa.key'),
    rootCaFile: pkiFile(gateway, 'server-ca.crt'),
    flags: MANAGER_FLAGS,
  });
  if (environment === 'nodes') await createNodes(accessOf(gateway));
  return gateway.kubeconfig;
}

/** The original has no controllers of its own, so it never runs alone. */
export async function startReference(
  scope: TestScope,
  environment: Exclude<Environment, 'alone'>,
): Promise<string> {
  const { kubeApiserver, serviceAccountKeyFile } = await startReferenceStack({
    scope,
    kubeApiserverFlags: [
      `--advertise-address=${externalAddress()}`,
      '--endpoint-reconciler-type=lease',
      '--authorization-mode=Node', // The flag adds to RBAC.
      '--enable-admission-plugins=NodeRestriction',
    ],
  });
  await startControllerManager(scope, {
    kubeconfig: kubeApiserver.adminKubeconfig,
    controllers: [],
    serviceAccountKeyFile,
    rootCaFile: kubeApiserver.caFile,
    flags: MANAGER_FLAGS,
  });
  if (environment === 'nodes') await createNodes(kubeApiserver);
  return kubeApiserver.adminKubeconfig;
}

/** Controllers that both programs have run in the controller manager. */
const OURS = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
];

const MANAGER_FLAGS = [
  '--use-service-account-credentials=true',
  '--resource-quota-sync-period=30s', // By default specs about quota wait five minutes.
  '--node-monitor-grace-period=2h', // No kubelet renews the leases of the Node objects.
];

const NODES = ['node-a', 'node-b'];

async function createNodes({ url, ca, admin }: Pick<ServerAccess, 'url' | 'ca' | 'admin'>) {
  for (const name of NODES) {
    const path = `${url}/api/v1/nodes`;
    const { status, body } = await httpsRequest(path, {
      method: 'POST',
      body: node(name),
      ca,
      ...admin,
    });
    if (status !== 201) throw new Error(`POST /api/v1/nodes: ${status} ${body}`);
    await eventually(`${name} has no taint`, async () => {
      const read = await httpsRequest(`${path}/${name}`, { ca, ...admin });
      return (read.json() as { spec: { taints?: unknown } }).spec.taints === undefined;
    });
  }
}

function node(name: string): object {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const resources = { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
      },
    },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [{ type: 'InternalIP', address: '10.20.30.40' }],
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion: '6.1.0',
        osImage: 'none',
        containerRuntimeVersion: 'none://1',
        kubeletVersion: 'v1.0.0',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'ready',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  };
}

function accessOf(gateway: Gateway): Pick<ServerAccess, 'url' | 'ca' | 'admin'> {
  const { ca, cert, key } = gateway.credentials;
  return { url: gateway.url, ca, admin: { cert, key } };
}

/** kube-apiserver refuses to advertise a loopback address. */
function externalAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);
  if (found === undefined) throw new Error('this machine has no IPv4 address but loopback');
  return found.address;
}
