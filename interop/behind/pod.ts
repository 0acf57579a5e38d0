/**
 * Plays the nodes of a cluster for the Deployment of an extension server: volumes, the process, and the endpoint of its
 * Service. Control planes in tests have no nodes.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@tributary/apimachinery';
import {
  type Kubectl,
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
} from '../../test/harness/index.ts';

export interface PodOptions {
  /** Of the Deployment, the Service and the ServiceAccount. */
  readonly place: { readonly namespace: string; readonly name: string };
  /** The source of the program that its image has. */
  readonly program: string;
  readonly kubectl: Kubectl;
  /** The control plane, as its administrator. */
  readonly front: { readonly url: string; readonly ca: string; readonly kubeconfig: string };
  /** Where endpoints may be. */
  readonly address: string;
  readonly flags?: readonly string[];
}

export interface Pod {
  url(): string;
  /** Another one in its place, with the same volumes, at another port. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Secrets as they are now; a kubelet does so within a minute. */
  refreshVolumes(): Promise<void>;
}

const READY = /is ready at https:\S*:(\d+)/;

/** Started, and an endpoint of its Service. */
export async function startPod(scope: TestScope, options: PodOptions): Promise<Pod> {
  const { place, front, address } = options;
  const directory = await temporaryDirectory(scope, 'pod-');
  const { spec } = await read<Deployment>(options, 'deployment', place.name);
  const { containers, volumes } = spec.template.spec;
  const [container] = containers;
  assert.ok(container);
  const secrets = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const { name, mountPath } of container.volumeMounts) {
    const folder = join(directory, name);
    await mkdir(folder);
    folders.set(mountPath, folder);
    const secret = volumes.find((volume) => volume.name === name)?.secret?.secretName;
    if (secret !== undefined) secrets.set(secret, folder);
  }
  const refreshVolumes = async (): Promise<void> => {
    for (const [secret, folder] of secrets) {
      await project(folder, (await read<Secret>(options, 'secret', secret)).data);
    }
  };
  await refreshVolumes();
  const token = await succeeds(options, ['create', 'token', '-n', place.namespace, place.name]);
  const account = await writeKubeconfig(scope, {
    server: front.url,
    ca: front.ca,
    user: { token: token.trim() },
  });
  const inFolders = (arg: string) =>
    [...folders].reduce((text, [path, folder]) => text.replace(path, folder), arg);
  const args = [
    ...container.args.map(inFolders),
    // A pod has its own network and its own account; here both have to be said.
    '--secure-port=0',
    `--bind-address=${address}`,
    ...['', 'authentication-', 'authorization-'].map((use) => `--${use}kubeconfig=${account}`),
    ...(options.flags ?? []),
  ];
  let running: StartedProcess;
  let port = 0;
  const start = async (): Promise<void> => {
    running = await startProcess(scope, {
      name: place.name,
      ...runSource(options.program, args),
      ready: logShows(READY),
    });
    port = Number((await running.waitForLog(READY))[1]);
    await succeeds(options, ['apply', '-f', '-'], endpointSlice(options, port));
  };
  await start();
  return {
    url: () => `https://${address}:${port}`,
    start,
    kill: async () => {
      running.kill('SIGKILL');
      await running.exited;
    },
    refreshVolumes,
  };
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes: readonly {
          readonly name: string;
          readonly secret?: { readonly secretName: string };
        }[];
      };
    };
  };
}

interface Secret extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

async function read<T>(options: PodOptions, kind: string, name: string): Promise<T> {
  const { namespace } = options.place;
  return JSON.parse(
    await succeeds(options, ['get', kind, name, '-n', namespace, '-o', 'json']),
  ) as T;
}

/** Links to links, as kubelets do it: all files of a volume change in one moment. */
async function project(folder: string, data: Secret['data']): Promise<void> {
  const version = `..${performance.now()}`;
  await mkdir(join(folder, version));
  for (const [name, content] of Object.entries(data)) {
    const bytes = Buffer.from(content, 'base64');
    await writeFile(join(folder, version, name), bytes, { mode: 0o600 });
    if (!existsSync(join(folder, name))) await symlink(join('..data', name), join(folder, name));
  }
  await symlink(version, join(folder, '..next'));
  await rename(join(folder, '..next'), join(folder, '..data'));
}

async function succeeds(
  { kubectl, front }: PodOptions,
  args: readonly string[],
  input = '',
): Promise<string> {
  const { kubeconfig } = front;
  const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig, input });
  assert.equal(code, 0, `kubectl ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

function endpointSlice({ place, address }: PodOptions, port: number): string {
  return JSON.stringify({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${place.name}-1`,
      namespace: place.namespace,
      labels: { 'kubernetes.io/service-name': place.name },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  });
}
