import { Binding, type Pod } from '@tributary/api/core-v1';
import {
  aggregateText,
  badRequest,
  conflict,
  type FieldError,
  fieldError,
  root,
} from '@tributary/apimachinery';
import type { UpstreamActionInput } from '@tributary/server/definition';
import { plainError } from '../../shared/plain-failure.ts';
import { withCondition } from './conditions.ts';
import { successStatus } from './done.ts';

const TARGETS = ['Node', '<empty>'];

const PODS = { group: '', resource: 'pods' };

const BINDING = { group: '', resource: 'pods/binding' };

export function bindingAction(nowMs: () => number): UpstreamActionInput<Pod, unknown> {
  return {
    kind: { group: '', version: 'v1', kind: 'Binding' },
    typed: Binding,
    // Only this action sets the node of a pod.
    writesAsIs: true,
    run: async ({ object, body, update }) => {
      const binding = body as Binding;
      requireBinding(binding, object.metadata.name ?? '');
      const { uid } = binding.metadata;
      await update((pod) => assigned(pod, binding, nowMs()), { ...(uid && { uid }) });
      return successStatus();
    },
  };
}

function requireBinding(binding: Binding, name: string): void {
  if (binding.metadata.name !== name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const errors = validateTarget(binding);
  if (errors.length > 0) throw plainError(aggregateText(errors));
}

function validateTarget({ target: { kind = '', name = '' } }: Binding): FieldError[] {
  const path = root('target');
  return [
    ...(kind === '' || kind === 'Node'
      ? []
      : [fieldError.notSupported(path.child('kind'), kind, TARGETS)]),
    ...(name === '' ? [fieldError.required(path.child('name'))] : []),
  ];
}

function assigned(pod: Pod, { metadata, target }: Binding, nowMs: number): Pod {
  const { name = '', labels, annotations } = pod.metadata;
  const { resourceVersion } = metadata;
  if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) {
    throw conflict(PODS, name, staleMessage(pod, resourceVersion));
  }
  const reason = bindingError(pod);
  if (reason !== undefined) throw conflict(BINDING, name, `pod ${name} ${reason}`);
  const { nominatedNodeName: _done, ...status } = pod.status;
  const next: Pod = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(metadata.labels && { labels: { ...labels, ...metadata.labels } }),
      ...(metadata.annotations && { annotations: { ...annotations, ...metadata.annotations } }),
    },
    spec: { ...pod.spec, nodeName: target.name ?? '' },
    status,
  };
  return withCondition(next, { type: 'PodScheduled', status: 'True' }, nowMs);
}

/** The message of upstream's store. */
function staleMessage({ metadata }: Pod, wanted: string): string {
  const key = `/registry/pods/${metadata.namespace}/${metadata.name}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
}

function bindingError({ metadata, spec }: Pod): string | undefined {
  if (metadata.deletionTimestamp) return 'is being deleted, cannot be assigned to a host';
  if (spec.nodeName) return `is already assigned to node ${JSON.stringify(spec.nodeName)}`;
  if (spec.schedulingGates?.length) return 'has non-empty .spec.schedulingGates';
  return undefined;
}
