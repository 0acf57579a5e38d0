/** Removes from Helm's output and the installed objects the parts that differ between control planes. */

const TEXTS: readonly [RegExp, string][] = [
  // A line of the log of a Go program, with its time and process.
  [/^([IWE])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, '$1 '],
  [/\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, '{time}'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?(Z|[+-]\d\d:?\d\d)( UTC)?)?/g, '{time}'],
  [/https:\/\/127\.0\.0\.1:\d+/g, '{server}'],
  [/[\w]{8}(-[\w]{4}){3}-[\w]{12}/g, '{uid}'],
  // In a table, a shorter address has more behind it.
  [/10\.0\.0\.\d+ {2,}/g, '{clusterIP}  '],
  [/10\.0\.0\.\d+/g, '{clusterIP}'],
];

export function normaliseText(text: string): string {
  return TEXTS.reduce((rest, [pattern, label]) => rest.replaceAll(pattern, label), text);
}

interface Listed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Made by controllers, which the original's server does not have in itself. */
const BY_CONTROLLERS = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);
/** Values that servers assign, or compress by the minute. */
const DROPPED = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'release',
  'modifiedAt',
]);

/** The objects of some namespaces, and those without one whose name is among the given, in order. */
export function normaliseObjects(
  json: string,
  { namespaces, names }: { namespaces: readonly string[]; names: readonly string[] },
): unknown[] {
  const { items } = JSON.parse(json) as { items: Listed[] };
  return items
    .filter(({ metadata: { name, namespace } }) =>
      namespace === undefined ? names.includes(name) : namespaces.includes(namespace),
    )
    .filter(({ kind, metadata }) => !BY_CONTROLLERS.has(`${kind} ${metadata.name}`))
    .sort((a, b) => (label(a) < label(b) ? -1 : 1))
    .map((object) => without(object));
}

function label({ kind, metadata: { namespace = '', name } }: Listed): string {
  return `${kind} ${namespace}/${name}`;
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const retained = Object.entries(value).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(retained.map(([name, member]) => [name, without(member)]));
}
