import type { Container, ContainerPort, VolumeMount } from '@tributary/api/core-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import {
  portProtocols,
  validateLabel,
  validatePortName,
  validatePortNumber,
} from '../../shared/validate-names.ts';
import { validateRequiredSupported } from '../../shared/validate-values.ts';
import { validateEnvironment } from './validate-environment.ts';
import { validateLifecycle, validateProbes } from './validate-probes.ts';
import { validateResources } from './validate-resources.ts';
import { validateContainerSecurity } from './validate-security.ts';
import { descendingPathErrors } from './validate-volumes.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

interface ContainerContext {
  /** Names of the volumes that can be mounted. */
  readonly volumes: ReadonlySet<string>;
  readonly path: FieldPath;
}

export function validateContainers(
  containers: readonly Container[],
  { volumes, path }: ContainerContext,
): FieldError[] {
  if (containers.length === 0) return [fieldError.required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = path.index(index);
    const found = validateContainer(container, { volumes, path: at });
    if (names.has(container.name))
      found.push(fieldError.duplicate(at.child('name'), container.name));
    names.add(container.name);
    return [...found, ...validateLifecycle(container, at), ...validateProbes(container, at)];
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

const NOT_IN_INIT = 'may not be set for init containers without restartPolicy=Always';

export function validateInitContainers(
  containers: readonly Container[],
  { volumes, path, regular }: ContainerContext & { readonly regular: readonly Container[] },
): FieldError[] {
  const names = new Set(regular.map(({ name }) => name));
  return containers.flatMap((container, index) => {
    const at = path.index(index);
    const errors = validateContainer(container, { volumes, path: at });
    const { name, restartPolicy } = container;
    if (names.has(name)) errors.push(fieldError.duplicate(at.child('name'), name));
    else if (name) names.add(name);
    errors.push(...hostPortConflicts([container], path));
    if (restartPolicy === 'Always') {
      return [...errors, ...validateLifecycle(container, at), ...validateProbes(container, at)];
    }
    const unwanted = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
    for (const field of unwanted) {
      if (container[field]) errors.push(fieldError.forbidden(at.child(field), NOT_IN_INIT));
    }
    return errors;
  });
}

export function validateContainer(
  container: Container,
  { volumes, path }: ContainerContext,
): FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy } = container;
  const { ports = [], volumeMounts = [], resources, securityContext } = container;
  return [
    ...(name ? validateLabel(path.child('name'), name) : [fieldError.required(path.child('name'))]),
    ...(image ? [] : [fieldError.required(path.child('image'))]),
    ...validateRequiredSupported(
      terminationMessagePolicy,
      MESSAGE_POLICIES,
      path.child('terminationMessagePolicy'),
    ),
    ...validatePorts(ports, path.child('ports')),
    ...validateEnvironment(container, path),
    ...validateMounts(volumeMounts, { volumes, path: path.child('volumeMounts') }),
    ...validateRequiredSupported(imagePullPolicy, PULL_POLICIES, path.child('imagePullPolicy')),
    ...validateResources(resources, path.child('resources')),
    ...(securityContext
      ? validateContainerSecurity(securityContext, path.child('securityContext'))
      : []),
  ];
}

function validatePorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (name) {
      const wrong = validatePortName(at.child('name'), name);
      errors.push(...wrong);
      if (wrong.length === 0 && names.has(name)) {
        errors.push(fieldError.duplicate(at.child('name'), name));
      }
      if (wrong.length === 0) names.add(name);
    }
    errors.push(
      ...(containerPort === 0
        ? [fieldError.required(at.child('containerPort'))]
        : validatePortNumber(at.child('containerPort'), containerPort)),
      ...(hostPort ? validatePortNumber(at.child('hostPort'), hostPort) : []),
      ...validateRequiredSupported(protocol, portProtocols, at.child('protocol')),
    );
    return errors;
  });
}

/** A host port can be used by one container only. */
function hostPortConflicts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort, hostIP = '', protocol = '' }, at) => {
      if (!hostPort) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      const isTaken = seen.has(key);
      seen.add(key);
      const fieldPath = path.index(index).child('ports').index(at).child('hostPort');
      return isTaken ? [fieldError.duplicate(fieldPath, key)] : [];
    }),
  );
}

function validateMounts(
  mounts: readonly VolumeMount[],
  { volumes, path }: ContainerContext,
): FieldError[] {
  const mountPaths = new Set<string>();
  return mounts.flatMap(({ name, mountPath, subPath, subPathExpr }, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (!name) errors.push(fieldError.required(at.child('name')));
    if (!volumes.has(name)) errors.push(fieldError.notFound(at.child('name'), name));
    if (!mountPath) errors.push(fieldError.required(at.child('mountPath')));
    if (mountPaths.has(mountPath)) {
      errors.push(fieldError.invalid(at.child('mountPath'), mountPath, 'must be unique'));
    }
    mountPaths.add(mountPath);
    // Upstream's path is that of the list, not of the mount.
    if (subPath) errors.push(...descendingPathErrors(path.child('subPath'), subPath));
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        errors.push(fieldError.invalid(at.child('subPathExpr'), subPathExpr, detail));
      }
      errors.push(...descendingPathErrors(path.child('subPathExpr'), subPathExpr));
    }
    return errors;
  });
}
