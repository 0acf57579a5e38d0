/** Parts of pods that are written by themselves: containers that are added later, and resources that change. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import { ask, below, givenPod, givenStatus, MAIN, Pod, podOf } from './pods-words.ts';
import { get, type More, patch, pathOf, put } from './words.ts';

const EPHEMERAL = 'ephemeralcontainers';
const SHELL: JsonObject = { name: 'shell', image: 'shell:1' };

function part(name: string, spec: JsonObject, more: More = {}): RequestStep {
  return patch(Pod, 'strategic', { spec }, { path: `${pathOf(Pod)}/${name}`, ...more });
}

function merge(name: string, spec: JsonObject, more: More = {}): RequestStep {
  return patch(Pod, 'merge', { spec }, { path: `${pathOf(Pod)}/${name}`, ...more });
}

const add = (container: JsonObject, more: More = {}) =>
  part(EPHEMERAL, { ephemeralContainers: [container] }, more);
const added = add(SHELL, { name: 'given-shell', setup: true });

const sized = (cpu: string, memory: string): JsonObject => ({ cpu, memory });
const resources = (requests: JsonObject, limits?: JsonObject): JsonObject => ({
  requests,
  ...(limits && { limits }),
});
const SIZED: JsonObject = { ...MAIN, resources: resources(sized('100m', '100Mi')) };
const SURE: JsonObject = {
  ...MAIN,
  resources: resources(sized('100m', '100Mi'), sized('100m', '100Mi')),
};
const resize = (container: JsonObject, more: More = {}) =>
  part('resize', { containers: [{ name: 'main', ...container }] }, more);

export const podParts: RowGroup = {
  name: 'pods-parts',
  rows: [
    below('get', 'its ephemeral containers', ...givenPod(), ask(EPHEMERAL)),
    below('patch', 'an ephemeral container is added', ...givenPod(), add(SHELL), get(Pod)),
    below(
      'patch',
      'an ephemeral container is added to a target',
      ...givenPod(),
      add({ ...SHELL, targetContainerName: 'main', command: ['sh'], stdin: true }),
    ),
    below(
      'patch',
      'an ephemeral container is added to a missing target',
      ...givenPod(),
      add({ ...SHELL, targetContainerName: 'x' }),
    ),
    below(
      'patch',
      'an ephemeral container of a name that is taken',
      ...givenPod(),
      add({ ...SHELL, name: 'main' }),
    ),
    below(
      'patch',
      'an ephemeral container without a name',
      ...givenPod(),
      merge(EPHEMERAL, { ephemeralContainers: [{ image: 'shell:1' }] }),
    ),
    below(
      'patch',
      'an ephemeral container without an image',
      ...givenPod(),
      add({ name: 'shell' }),
    ),
    below(
      'patch',
      'an ephemeral container with ports and probes',
      ...givenPod(),
      add({ ...SHELL, ports: [{ containerPort: 80 }], livenessProbe: { tcpSocket: { port: 80 } } }),
    ),
    below(
      'patch',
      'an ephemeral container with resources',
      ...givenPod(),
      add({ ...SHELL, resources: resources(sized('1', '1Gi')) }),
    ),
    below(
      'patch',
      'an ephemeral container changes',
      ...givenPod(),
      added,
      add({ name: 'shell', image: 'shell:2' }),
    ),
    below(
      'patch',
      'an ephemeral container goes',
      ...givenPod(),
      added,
      merge(EPHEMERAL, { ephemeralContainers: [] }),
    ),
    below(
      'patch',
      'an ephemeral container beside other changes',
      ...givenPod(),
      merge(EPHEMERAL, { hostname: 'other', ephemeralContainers: [SHELL] }),
      get(Pod),
    ),
    below(
      'update',
      'its ephemeral containers',
      ...givenPod(),
      put(
        Pod,
        { ...podOf({ ephemeralContainers: [SHELL] }) },
        { path: `${pathOf(Pod)}/${EPHEMERAL}` },
      ),
    ),
    below('create', 'with an ephemeral container', ...givenPod(), {
      name: 'create',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/pods',
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'b' },
        ...podOf({ ephemeralContainers: [SHELL] }),
      },
    }),
    below(
      'patch',
      'an ephemeral container of the whole pod',
      ...givenPod(),
      patch(Pod, 'strategic', { spec: { ephemeralContainers: [SHELL] } }),
    ),
    below('patch', 'an ephemeral container of a missing pod', add(SHELL)),
    below('get', 'its size', ...givenPod(), ask('resize')),
    below(
      'patch',
      'it asks for more',
      ...givenPod({ containers: [SIZED] }),
      resize({ resources: resources(sized('200m', '200Mi')) }),
      get(Pod),
    ),
    below(
      'patch',
      'it asks for less',
      ...givenPod({ containers: [SIZED] }),
      resize({ resources: resources(sized('50m', '50Mi')) }),
    ),
    below(
      'patch',
      'it asks for something first',
      ...givenPod(),
      resize({ resources: resources(sized('50m', '50Mi')) }),
    ),
    below(
      'patch',
      'it is as sure as before',
      ...givenPod({ containers: [SURE] }),
      resize({ resources: resources(sized('200m', '200Mi'), sized('200m', '200Mi')) }),
    ),
    below(
      'patch',
      'it is less sure than before',
      ...givenPod({ containers: [SURE] }),
      resize({ resources: resources(sized('50m', '50Mi'), sized('200m', '200Mi')) }),
    ),
    below(
      'patch',
      'it asks for more than it may have',
      ...givenPod({ containers: [SIZED] }),
      resize({ resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }),
    ),
    below(
      'patch',
      'it asks for what it cannot have',
      ...givenPod({ containers: [SIZED] }),
      resize({ resources: { requests: { cpu: '-1' } } }),
    ),
    below(
      'patch',
      'it asks for something else',
      ...givenPod({ containers: [SIZED] }),
      resize({
        resources: { requests: { 'example.com/thing': '1' }, limits: { 'example.com/thing': '1' } },
      }),
    ),
    below(
      'patch',
      'how a container is resized',
      ...givenPod({ containers: [SIZED] }),
      resize({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    ),
    below(
      'patch',
      'a size beside other changes',
      ...givenPod({ containers: [SIZED] }),
      resize({ image: 'app:2', resources: resources(sized('200m', '200Mi')) }),
      get(Pod),
    ),
    below(
      'patch',
      'the size of a container that is not there',
      ...givenPod({ containers: [SIZED] }),
      part('resize', { containers: [{ name: 'x', resources: resources(sized('1', '1Gi')) }] }),
    ),
    below(
      'patch',
      'the size of a pod that has ended',
      ...givenPod({ containers: [SIZED] }),
      givenStatus(Pod, { phase: 'Succeeded' }),
      resize({ resources: resources(sized('200m', '200Mi')) }),
    ),
    below(
      'patch',
      'a size of the whole pod',
      ...givenPod({ containers: [SIZED] }),
      patch(Pod, 'strategic', {
        spec: { containers: [{ name: 'main', resources: resources(sized('200m', '200Mi')) }] },
      }),
    ),
    below(
      'patch',
      'the size of a missing pod',
      resize({ resources: resources(sized('1', '1Gi')) }),
    ),
  ],
};
