/** The ephemeralcontainers subresource. Containers can be added, not changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Container, EphemeralContainer, Pod, PodSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goQuote,
  root,
} from '@tributary/apimachinery';
import type { PartInput } from '@tributary/server';
import { validateContainer } from '../pod-template/validate-containers.ts';
import { validateVolumes } from '../pod-template/validate-volumes.ts';

const PATH = root('spec').child('ephemeralContainers');
const UNWANTED = 'cannot be set for an Ephemeral Container';
/** Fields of other containers, in the order of the struct. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const satisfies readonly (keyof EphemeralContainer)[];
const MIRROR = 'kubernetes.io/config.mirror';

export const ephemeralContainersPart: PartInput<Pod> = {
  prepareForUpdate: (next, live) => {
    const { ephemeralContainers } = next.spec;
    next.spec = { ...live.spec };
    delete next.spec.ephemeralContainers;
    if (ephemeralContainers?.length) next.spec.ephemeralContainers = ephemeralContainers;
    next.status = live.status;
  },
  validateUpdate: (next, live) => {
    if (live.metadata.annotations?.[MIRROR] !== undefined) {
      return [fieldError.forbidden(root('[]'), 'static pods do not support ephemeral containers')];
    }
    return [...validateEphemeralContainers(next.spec, PATH), ...validateUnchanged(next, live)];
  },
};

function validateUnchanged({ spec }: Pod, live: Pod): FieldError[] {
  const byName = new Map((spec.ephemeralContainers ?? []).map((one) => [one.name, one]));
  return (live.spec.ephemeralContainers ?? []).flatMap((before) => {
    const after = byName.get(before.name);
    const what = `existing ephemeral containers ${goQuote(before.name)} may not be`;
    if (after === undefined) return [fieldError.forbidden(PATH, `${what} removed\n`)];
    if (isDeepStrictEqual(before, after)) return [];
    return [fieldError.forbidden(PATH, `${what} changed`)];
  });
}

export function validateEphemeralContainers(spec: PodSpec, path: FieldPath): FieldError[] {
  const { mountable } = validateVolumes(spec.volumes ?? [], path);
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const otherNames = new Set(others.map(({ name }) => name));
  const names = new Set(otherNames);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const at = path.index(index);
    const errors = validateContainer(container as Container, { volumes: mountable, path: at });
    const { name, targetContainerName } = container;
    if (names.has(name)) errors.push(fieldError.duplicate(at.child('name'), name));
    names.add(name);
    if (targetContainerName && !otherNames.has(targetContainerName)) {
      errors.push(fieldError.notFound(at.child('targetContainerName'), targetContainerName));
    }
    return [...errors, ...unwantedFields(container, at)];
  });
}

function unwantedFields(container: EphemeralContainer, path: FieldPath): FieldError[] {
  const errors = NOT_EPHEMERAL.filter((name) => isSaid(container[name])).map((name) =>
    fieldError.forbidden(path.child(name), UNWANTED),
  );
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = path.child('volumeMounts').index(index);
    for (const name of ['subPath', 'subPathExpr'] as const) {
      if (mount[name]) errors.push(fieldError.forbidden(at.child(name), UNWANTED));
    }
  }
  return errors;
}

function isSaid(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : Boolean(value);
}
