/** The resize subresource, which changes resources of running containers. */
import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod, ResourceRequirements } from '@tributary/api/core-v1';
import { type FieldError, type FieldPath, fieldError, root } from '@tributary/apimachinery';
import type { PartInput } from '@tributary/server';
import { validatePodSpec } from '../pod-template/validation.ts';
import { qosClassOf } from './qos-class.ts';

const SPEC = root('spec');
const RESIZED = ['cpu', 'memory'];
const ONLY = 'only cpu and memory resources are mutable';
const ONLY_INIT = 'only cpu and memory resources for init or sidecar containers are mutable';
const INIT = 'resources for non-sidecar init containers are immutable';
const MIRROR = 'kubernetes.io/config.mirror';

export const resizePart: PartInput<Pod> = {
  prepareForUpdate: (next, live) => {
    const containers = resized(next.spec.containers, live.spec.containers);
    const initContainers = resized(next.spec.initContainers, live.spec.initContainers);
    // Validation reports other containers.
    if (containers === undefined || initContainers === undefined) return;
    next.spec = { ...live.spec, containers };
    if (initContainers.length > 0) next.spec.initContainers = initContainers;
    next.status = live.status;
  },
  validateUpdate: validateResize,
};

/** The live containers with the new resources; undefined when the containers differ. */
function resized(
  next: readonly Container[] | null | undefined,
  live: readonly Container[] | null | undefined,
): Container[] | undefined {
  const before = live ?? [];
  if ((next ?? []).length !== before.length) return undefined;
  const isSame = (next ?? []).every(({ name }, index) => name === before[index]?.name);
  if (!isSame) return [...(next ?? [])];
  return before.map((container, index) => {
    const { resizePolicy: _before, ...rest } = container;
    const { resources = {}, resizePolicy } = next?.[index] ?? container;
    return { ...rest, resources, ...(resizePolicy && { resizePolicy }) };
  });
}

function validateResize(next: Pod, live: Pod): FieldError[] {
  if (live.metadata.annotations?.[MIRROR] !== undefined) {
    return [fieldError.forbidden(root('[]'), 'static pods cannot be resized')];
  }
  if (live.spec.os?.name === 'windows') {
    return [fieldError.forbidden(root('[]'), 'windows pods cannot be resized')];
  }
  const errors = validatePodSpec(next.spec, SPEC);
  const quality = live.status.qosClass ?? qosClassOf(live.spec);
  if (quality !== qosClassOf(next.spec)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.push(fieldError.invalid(SPEC, quality, detail));
  }
  if (!isSupported(live)) {
    errors.push(fieldError.forbidden(SPEC, 'Pod running on node without support for resize'));
  }
  const order = [
    ...validateOrder(next, live, 'containers'),
    ...validateOrder(next, live, 'initContainers'),
  ];
  if (order.length > 0) return [...errors, ...order];
  return [...errors, ...validateInit(next, live), ...validateRegular(next, live)];
}

/** A kubelet that can resize reports the resources of its containers. */
function isSupported({ status }: Pod): boolean {
  const running = status.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function validateOrder(next: Pod, live: Pod, field: 'containers' | 'initContainers'): FieldError[] {
  const [after, before] = [next.spec[field] ?? [], live.spec[field] ?? []];
  const path = SPEC.child(field);
  if (after.length !== before.length) {
    return [fieldError.forbidden(path, `${field} may not be added or removed on resize`)];
  }
  return before.flatMap(({ name }, index) =>
    after[index]?.name === name
      ? []
      : [
          fieldError.forbidden(
            path.index(index).child('name'),
            `${field} may not be renamed or reordered on resize`,
          ),
        ],
  );
}

function validateRegular(next: Pod, live: Pod): FieldError[] {
  return pairs(next.spec.containers, live.spec.containers).flatMap(([after, before], index) => [
    ...validateFieldsUnchanged(
      after,
      before,
      SPEC.child('containers').index(index).child('resources'),
    ),
    ...(isDeepStrictEqual(withLive(after, before), before)
      ? []
      : [fieldError.forbidden(SPEC, ONLY)]),
  ]);
}

function validateInit(next: Pod, live: Pod): FieldError[] {
  return pairs(next.spec.initContainers, live.spec.initContainers).flatMap(
    ([after, before], index) => {
      if (isDeepStrictEqual(after, before)) return [];
      if (before.restartPolicy !== 'Always') return [fieldError.forbidden(SPEC, INIT)];
      const at = SPEC.child('initContainers').index(index);
      return [
        ...validateFieldsUnchanged(after, before, at.child('resources')),
        ...(isDeepStrictEqual(withLive(after, before), before)
          ? []
          : [fieldError.forbidden(at, ONLY_INIT)]),
      ];
    },
  );
}

function pairs(
  next: readonly Container[] | null | undefined,
  live: readonly Container[] | null | undefined,
): [Container, Container][] {
  return (live ?? []).flatMap((before, index) => {
    const after = next?.[index];
    return after === undefined ? [] : [[after, before] as [Container, Container]];
  });
}

/** Requests and limits can change, but not be added or removed. */
function validateFieldsUnchanged(
  after: Container,
  before: Container,
  path: FieldPath,
): FieldError[] {
  return (['requests', 'limits'] as const)
    .filter((name) =>
      Object.keys(before.resources[name] ?? {}).some(
        (resource) => !Object.hasOwn(after.resources[name] ?? {}, resource),
      ),
    )
    .map((name) => fieldError.forbidden(path.child(name), `resource ${name} cannot be removed`));
}

/** The new container with permitted changes undone. */
function withLive(after: Container, before: Container): Container {
  return { ...after, resources: amountsOf(after.resources, before.resources) };
}

function amountsOf(
  after: ResourceRequirements,
  before: ResourceRequirements,
): ResourceRequirements {
  const result = { ...after };
  for (const name of ['requests', 'limits'] as const) {
    const amounts = [
      ...Object.entries(after[name] ?? {}).filter(([resource]) => !RESIZED.includes(resource)),
      ...Object.entries(before[name] ?? {}).filter(([resource]) => RESIZED.includes(resource)),
    ];
    if (amounts.length > 0) result[name] = Object.fromEntries(amounts);
    else delete result[name];
  }
  return result;
}
