import type { PodSpec, SeccompProfile, SecurityContext } from '@tributary/api/core-v1';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';
import { descendingPathErrors } from './validate-volumes.ts';

const ID_MAX = 2 ** 31 - 1;
const ID_DETAIL = `must be between 0 and ${ID_MAX}, inclusive`;
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch'];

export function validatePodSecurity(spec: PodSpec, path: FieldPath): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors = [
    ...idErrors(path.child('fsGroup'), context.fsGroup),
    ...idErrors(path.child('runAsUser'), context.runAsUser),
    ...idErrors(path.child('runAsGroup'), context.runAsGroup),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      idErrors(path.child('supplementalGroups').index(index), group),
    ),
  ];
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(fieldError.invalid(path.child('shareProcessNamespace'), true, detail));
  }
  const { fsGroupChangePolicy: policy } = context;
  if (policy !== undefined && !GROUP_CHANGE_POLICIES.includes(policy)) {
    const fieldPath = path.child('fsGroupChangePolicy');
    errors.push(fieldError.notSupported(fieldPath, policy, GROUP_CHANGE_POLICIES));
  }
  return [...errors, ...profileErrors(path.child('seccompProfile'), context.seccompProfile)];
}

export function validateContainerSecurity(context: SecurityContext, path: FieldPath): FieldError[] {
  const { runAsUser, runAsGroup, seccompProfile, allowPrivilegeEscalation } = context;
  const errors = [
    // Privileged containers are allowed, as in kube-apiserver by default.
    ...(context.privileged
      ? [fieldError.forbidden(path.child('privileged'), 'disallowed by cluster policy')]
      : []),
    ...idErrors(path.child('runAsUser'), runAsUser),
    ...idErrors(path.child('runAsGroup'), runAsGroup),
    ...profileErrors(path.child('seccompProfile'), seccompProfile),
  ];
  if (allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    if (context.privileged) {
      errors.push(fieldError.invalid(path, context, `${cannot} \`privileged\` to true`));
    }
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      errors.push(
        fieldError.invalid(path, context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`),
      );
    }
  }
  return errors;
}

function idErrors(path: FieldPath, id: number | bigint | undefined): FieldError[] {
  if (id === undefined || (id >= 0 && id <= ID_MAX)) return [];
  return [fieldError.invalid(path, id, ID_DETAIL)];
}

function profileErrors(path: FieldPath, profile: SeccompProfile | undefined): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const errors: FieldError[] = [];
  const fieldPath = path.child('localhostProfile');
  if (!type) {
    const detail = 'type is required when seccompProfile is set';
    errors.push(fieldError.required(path.child('type'), detail));
  } else if (!PROFILES.includes(type)) {
    errors.push(fieldError.notSupported(path.child('type'), type, PROFILES));
  }
  if (type === 'Localhost') {
    errors.push(
      ...(localhostProfile === undefined
        ? [fieldError.required(fieldPath, 'must be set when seccomp type is Localhost')]
        : descendingPathErrors(fieldPath, localhostProfile)),
    );
  } else if (localhostProfile !== undefined) {
    const detail = 'can only be set when seccomp type is Localhost';
    errors.push(fieldError.invalid(fieldPath, profile, detail));
  }
  return errors;
}
