import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  type GroupResource,
  qualifiedResource,
} from '@tributary/apimachinery';

/** One name of a list of resources, with its path in the file. */
export interface ResourceName {
  readonly path: FieldPath;
  readonly text: string;
  readonly resource: GroupResource;
}

export const EVERYTHING: GroupResource = { group: '*', resource: '*' };

/** `secrets`, `flunders.wardle.example.com`, `*.apps`, `*.` for the core group, `*.*`. */
export function parseResourceName(path: FieldPath, text: string): ResourceName {
  const dot = text.indexOf('.');
  const resource =
    dot === -1
      ? { group: '', resource: text }
      : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
  return { path, text, resource };
}

/** Errors of a name by itself. */
export function resourceNameErrors({ path, text, resource }: ResourceName): FieldError[] {
  const detail = nameProblem(text, resource);
  return detail === undefined ? [] : [fieldError.invalid(path, text, detail)];
}

/** kube-apiserver's rules and messages, and one more rule: the name must be valid. */
function nameProblem(text: string, { group, resource }: GroupResource): string | undefined {
  if (text.toLowerCase() !== text) return 'resource name should not contain capital letters';
  if (text === '*') {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (NOT_SERVED.has(text)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') {
    return "'extensions' group has been removed and cannot be used for encryption";
  }
  if (group === '*' && resource !== '*') {
    return 'encrypting the same resource across groups is not supported';
  }
  const problems = [
    ...(resource === '*' ? [] : dns1123LabelErrors(resource)),
    ...(group === '*' || group === '' ? [] : dns1123SubdomainErrors(group)),
  ];
  if (problems.length === 0) return undefined;
  return "must be 'resource', 'resource.group', '*.group', '*.' or '*.*'";
}

const NOT_SERVED: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

/** Within one list names must be unique and must not overlap. */
export function overlapErrors(path: FieldPath, names: readonly ResourceName[]): FieldError[] {
  const errors: FieldError[] = [];
  const texts = names.map(({ text }) => text);
  const pairs = names.flatMap((one, at) =>
    names.slice(at + 1).map((other) => [one, other] as const),
  );
  if (pairs.some(([one, other]) => equal(one.resource, other.resource))) {
    errors.push(
      fieldError.invalid(path, texts, 'the same resource cannot be specified multiple times'),
    );
  }
  if (pairs.some(([one, other]) => hides(one.resource, other.resource))) {
    const detail =
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
    errors.push(fieldError.invalid(path, texts, detail));
  }
  return errors;
}

/** A later entry for a resource that an earlier wildcard covers would have no effect. */
export function maskErrors(
  earlier: readonly ResourceName[],
  names: readonly ResourceName[],
): FieldError[] {
  return names.flatMap((name) => {
    const mask = earlier.find(({ resource }) => covers(resource, name.resource));
    if (mask === undefined) return [];
    const detail = `the resource is masked by the earlier rule ${JSON.stringify(ruleText(mask.resource))} at ${mask.path}`;
    return [fieldError.invalid(name.path, name.text, detail)];
  });
}

/** As written in the file: the core group's wildcard keeps its dot. */
export function ruleText(resource: GroupResource): string {
  return resource.group === '' && resource.resource === '*' ? '*.' : qualifiedResource(resource);
}

function hides(one: GroupResource, other: GroupResource): boolean {
  if (equal(one, other)) return false;
  return covers(one, other) || covers(other, one);
}

/** A wildcard covers its resources, including itself. */
function covers(mask: GroupResource, resource: GroupResource): boolean {
  if (equal(mask, EVERYTHING)) return true;
  return mask.resource === '*' && mask.group === resource.group;
}

export function equal(one: GroupResource, other: GroupResource): boolean {
  return one.group === other.group && one.resource === other.resource;
}
