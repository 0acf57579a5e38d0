import {
  type HTTPIngressPath,
  Ingress,
  type IngressBackend,
  IngressClass,
  type IngressSpec,
} from '@tributary/api/networking-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  root,
} from '@tributary/apimachinery';
import { column } from '../shared/pod-parts.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { validateSubdomain } from '../shared/validate-names.ts';

const SPEC = root('spec');
const HOSTS_SHOWN = 3;
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

export const ingressKind = storedKind<Ingress>({
  typed: Ingress,
  metadataOnUpdate: 'twice',
  plural: 'ingresses',
  shortNames: ['ing'],
  generation: true,
  status: true,
  columns: [
    column('Class', 'Of which class it is', ({ spec }) => spec.ingressClassName ?? '<none>'),
    column('Hosts', 'For which hosts it is', ({ spec }) => hostsText(spec)),
    column('Address', 'Where it is reached', addressText),
    column('Ports', 'At which ports', ({ spec }) => (spec.tls?.length ? '80, 443' : '80')),
  ],
  validate: ({ spec }) => validateIngress(spec),
});

export const ingressClassKind = storedKind<IngressClass>({
  typed: IngressClass,
  metadataOnUpdate: 'twice',
  plural: 'ingressclasses',
  scope: 'Cluster',
  generation: true,
  columns: [
    column('Controller', 'Who serves its ingresses', ({ spec }) => spec.controller ?? ''),
    column('Parameters', 'Which settings belong to it', ({ spec: { parameters } }) => {
      if (!parameters) return '<none>';
      const group = parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
      return `${parameters.kind}${group}/${parameters.name}`;
    }),
  ],
  nameOf: ({ metadata }) =>
    metadata.annotations?.[DEFAULT_CLASS] === 'true' ? `${metadata.name} (default)` : undefined,
  applyDefaults: ({ spec }) => {
    if (spec.parameters) spec.parameters.scope ??= 'Cluster';
  },
  validate: validateIngressClass,
  validateChange: ({ spec }, live) =>
    spec.controller === live.spec.controller
      ? []
      : [fieldError.invalid(SPEC.child('controller'), spec.controller ?? '', fieldImmutable)],
});

function hostsText({ rules = [] }: IngressSpec): string {
  const hosts = rules.map(({ host }) => host ?? '').filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const more = rules.length - HOSTS_SHOWN;
  const shown = hosts.slice(0, HOSTS_SHOWN).join(',');
  return more > 0 && hosts.length >= HOSTS_SHOWN ? `${shown} + ${more} more...` : shown;
}

function addressText({ status }: Ingress): string {
  const places = (status.loadBalancer.ingress ?? []).map(
    ({ ip, hostname }) => ip || hostname || '',
  );
  return [...new Set(places.filter((place) => place !== ''))].sort().join(',');
}

function validateIngress(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    const detail = 'either `defaultBackend` or `rules` must be specified';
    return [fieldError.invalid(SPEC, null, detail)];
  }
  const path = SPEC.child('rules');
  return [
    ...tls.flatMap(({ hosts = [] }, index) =>
      hosts.flatMap((host, at) =>
        hostErrors(host, SPEC.child('tls').index(index).child('hosts').index(at)),
      ),
    ),
    ...(defaultBackend ? validateBackend(defaultBackend, SPEC.child('defaultBackend')) : []),
    ...rules.flatMap(({ host = '', http }, index) => [
      ...(host === '' ? [] : hostErrors(host, path.index(index).child('host'))),
      ...(http ? validatePaths(http.paths ?? [], path.index(index).child('http', 'paths')) : []),
    ]),
    ...(ingressClassName === undefined
      ? []
      : validateSubdomain(SPEC.child('ingressClassName'), ingressClassName)),
  ];
}

function hostErrors(host: string, path: FieldPath): FieldError[] {
  // A star stands for one label.
  return host.startsWith('*.')
    ? validateSubdomain(path, host.slice(2))
    : validateSubdomain(path, host);
}

function validatePaths(paths: readonly HTTPIngressPath[], path: FieldPath): FieldError[] {
  if (paths.length === 0) return [fieldError.required(path)];
  return paths.flatMap((one, index) => validatePath(one, path.index(index)));
}

function validatePath(one: HTTPIngressPath, path: FieldPath): FieldError[] {
  const { path: text = '', pathType, backend } = one;
  const type = path.child('pathType');
  if (pathType === undefined || pathType === null) {
    return [fieldError.required(type, 'pathType must be specified')];
  }
  if (!PATH_TYPES.includes(pathType)) return [fieldError.notSupported(type, pathType, PATH_TYPES)];
  const isFree = pathType === 'ImplementationSpecific' && text === '';
  return [
    ...(text.startsWith('/') || isFree
      ? []
      : [fieldError.invalid(path.child('path'), text, 'must be an absolute path')]),
    ...validateBackend(backend, path.child('backend')),
  ];
}

function validateBackend({ service, resource }: IngressBackend, path: FieldPath): FieldError[] {
  if (resource && service) {
    return [fieldError.invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource) return [];
  if (!service) return [fieldError.invalid(path, '', 'resource or service backend is required')];
  const port = path.child('service', 'port');
  const { name = '', number = 0 } = service.port ?? {};
  return [
    ...(service.name ? [] : [fieldError.required(path.child('service', 'name'))]),
    ...(name !== '' && number !== 0
      ? [fieldError.invalid(path, '', 'cannot set both port name & port number')]
      : []),
    ...(name === '' && number === 0
      ? [fieldError.required(port, 'port name or number is required')]
      : []),
  ];
}

const CONTROLLER = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[^\s]+$/;
const CONTROLLER_MAX = 250;

function validateIngressClass({
  spec: { controller = '', parameters },
}: IngressClass): FieldError[] {
  const path = SPEC.child('controller');
  const errors: FieldError[] = [];
  if (controller === '') errors.push(fieldError.required(path));
  else if (controller.length > CONTROLLER_MAX || !CONTROLLER.test(controller)) {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(fieldError.invalid(path, controller, detail));
  }
  if (!parameters) return errors;
  for (const field of ['kind', 'name'] as const) {
    if (!parameters[field]) errors.push(fieldError.required(SPEC.child('parameters', field)));
  }
  return errors;
}
