import type { HTTPIngressPath, IngressBackend, IngressSpec } from '@tributary/api/networking-v1';
import { type FieldError, type FieldPath, fieldError, root } from '@tributary/apimachinery';
import { validateSubdomain } from '../../shared/validate-names.ts';

const SPEC = root('spec');

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

export function validateIngress(spec: IngressSpec): FieldError[] {
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
  // A wildcard is one label.
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
