/**
 * Validates pod specs as upstream does. Not validated, because nothing runs pods here: affinity, tolerations, topology
 * spread, DNS settings, sysctls, resource claims, Windows options.
 */

import type { PodSpec, PodTemplateSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  validateAnnotations,
  validateLabels,
} from '@tributary/apimachinery';
import { validateLabel, validateSubdomain } from '../../shared/validate-names.ts';
import { validateRequiredSupported } from '../../shared/validate-values.ts';
import { validateContainers, validateInitContainers } from './validate-containers.ts';
import { validatePodSecurity } from './validate-security.ts';
import { validateVolumes } from './validate-volumes.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['Never', 'PreemptLowerPriority'];

export function validatePodTemplate(
  { metadata, spec }: PodTemplateSpec,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...validateLabels(metadata.labels, path.child('labels')),
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validatePodSpec(spec, path.child('spec')),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const fieldPath = path.child('spec', 'ephemeralContainers');
    errors.push(
      fieldError.forbidden(fieldPath, 'ephemeral containers not allowed in pod template'),
    );
  }
  return errors;
}

export function validatePodSpec(spec: PodSpec, path: FieldPath): FieldError[] {
  const { containers, initContainers = [], volumes = [] } = spec;
  const { mountable, errors } = validateVolumes(volumes, path.child('volumes'));
  errors.push(
    ...validateContainers(containers ?? [], { volumes: mountable, path: path.child('containers') }),
    ...validateInitContainers(initContainers, {
      volumes: mountable,
      path: path.child('initContainers'),
      regular: containers ?? [],
    }),
    ...validateRequiredSupported(spec.restartPolicy, RESTART_POLICIES, path.child('restartPolicy')),
    ...validateRequiredSupported(spec.dnsPolicy, DNS_POLICIES, path.child('dnsPolicy')),
    ...validateLabels(spec.nodeSelector, path.child('nodeSelector')),
    ...validatePodSecurity(spec, path.child('securityContext')),
    ...validateNames(spec, path),
  );
  if (spec.preemptionPolicy !== undefined) {
    const fieldPath = path.child('preemptionPolicy');
    errors.push(
      ...validateRequiredSupported(spec.preemptionPolicy, PREEMPTION_POLICIES, fieldPath),
    );
  }
  return errors;
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const { serviceAccountName, nodeName, hostname, subdomain, priorityClassName } = spec;
  const { runtimeClassName } = spec;
  return [
    ...(serviceAccountName
      ? validateSubdomain(path.child('serviceAccountName'), serviceAccountName)
      : []),
    ...(nodeName ? validateSubdomain(path.child('nodeName'), nodeName) : []),
    ...(hostname ? validateLabel(path.child('hostname'), hostname) : []),
    ...(subdomain ? validateLabel(path.child('subdomain'), subdomain) : []),
    ...(priorityClassName
      ? validateSubdomain(path.child('priorityClassName'), priorityClassName)
      : []),
    ...(runtimeClassName === undefined
      ? []
      : validateSubdomain(path.child('runtimeClassName'), runtimeClassName)),
  ];
}
