import type { APIService, APIServiceSpec } from '@tributary/api/apiregistration-v1';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  fieldError,
  goQuote,
  type NameValidator,
  root,
  validateObjectMetaCreate,
  validatePathSegmentName,
} from '@tributary/apimachinery';

const METADATA = root('metadata');
const SPEC = root('spec');
const GROUP_PRIORITY_MAX = 20_000;
const VERSION_PRIORITY_MAX = 1_000;
const conditionStatuses = ['True', 'False', 'Unknown'];

/** As upstream: all errors at once, with upstream's messages. */
export function validateApiService({ metadata, spec, status }: APIService): FieldError[] {
  return [
    ...validateObjectMetaCreate(metadata, {
      namespaced: false,
      validateName: nameOf(spec),
      path: METADATA,
    }),
    ...validateGroupVersion(spec),
    ...validatePriorities(spec),
    ...(spec.service === undefined ? validateLocal(spec) : validateRemote(spec, spec.service)),
    ...validateConditions(status),
  ];
}

function nameOf({ group = '', version = '' }: APIServiceSpec): NameValidator {
  const wanted = `${version}.${group}`;
  return (name) => {
    const errors = validatePathSegmentName(name);
    if (errors.length > 0 || name === wanted) return errors;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`];
  };
}

function validateGroupVersion({ group = '', version = '' }: APIServiceSpec): FieldError[] {
  const path = SPEC.child('group');
  const ofGroup =
    group === ''
      ? version === 'v1'
        ? []
        : [
            fieldError.required(
              path,
              'only v1 may have an empty group and it better be legacy kube',
            ),
          ]
      : dns1123SubdomainErrors(group).map((detail) => fieldError.invalid(path, group, detail));
  return [
    ...ofGroup,
    ...dns1035LabelErrors(version).map((detail) =>
      fieldError.invalid(SPEC.child('version'), version, detail),
    ),
  ];
}

/** As upstream, the maximum itself is valid, although the message says otherwise. */
function validatePriorities(spec: APIServiceSpec): FieldError[] {
  const validatePriority = (field: 'groupPriorityMinimum' | 'versionPriority', max: number) => {
    const value = spec[field];
    if (value > 0 && value <= max) return [];
    const detail = `must be positive and less than ${max}`;
    return [fieldError.invalid(SPEC.child(field), value, detail)];
  };
  return [
    ...validatePriority('groupPriorityMinimum', GROUP_PRIORITY_MAX),
    ...validatePriority('versionPriority', VERSION_PRIORITY_MAX),
  ];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const bytes = bundleBytes(caBundle);
  const errors: FieldError[] = [];
  if (bytes > 0) {
    const detail = 'local APIServices may not have a caBundle';
    errors.push(fieldError.invalid(SPEC.child('caBundle'), `${bytes} bytes`, detail));
  }
  if (insecureSkipTLSVerify) {
    const detail = 'local APIServices may not have insecureSkipTLSVerify';
    errors.push(fieldError.invalid(SPEC.child('insecureSkipTLSVerify'), true, detail));
  }
  return errors;
}

function validateRemote(
  { caBundle, insecureSkipTLSVerify }: APIServiceSpec,
  { namespace, name, port = 0 }: NonNullable<APIServiceSpec['service']>,
): FieldError[] {
  const path = SPEC.child('service');
  const errors: FieldError[] = [];
  if (!namespace) errors.push(fieldError.required(path.child('namespace')));
  if (!name) errors.push(fieldError.required(path.child('name')));
  if (port < 1 || port > 65_535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(fieldError.invalid(path.child('port'), port, detail));
  }
  if (insecureSkipTLSVerify && bundleBytes(caBundle) > 0) {
    const detail = 'may not be true if caBundle is present';
    errors.push(fieldError.invalid(SPEC.child('insecureSkipTLSVerify'), true, detail));
  }
  return errors;
}

function bundleBytes(caBundle: string | undefined): number {
  return caBundle ? Buffer.byteLength(caBundle, 'base64') : 0;
}

/** Other values can only come from a write of the status. */
function validateConditions({ conditions = [] }: APIService['status']): FieldError[] {
  return conditions.flatMap(({ status }, index) =>
    conditionStatuses.includes(status)
      ? []
      : [
          fieldError.notSupported(
            root('status', 'conditions').index(index).child('status'),
            status,
            conditionStatuses,
          ),
        ],
  );
}
